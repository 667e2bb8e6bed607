/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteCommandTest {
  private final Terminal terminal = new Terminal();

  @Test
  void should_write_the_pages_and_the_javadoc_of_each_product(@TempDir Path folder)
      throws IOException {
    assertThat(terminal.run("site --json --out " + folder)).as(terminal.err()).isZero();
    Path index = folder.resolve("index.html");
    assertThat(terminal.json().get("index").asText()).isEqualTo(index.toString());
    assertThat(index).content().contains("api/driver/index.html");
    assertThat(folder.resolve("docs/driver/index.html")).exists();
    assertThat(folder.resolve("api/driver/io/curtail/driver/AdaptivePolicy.html"))
        .content()
        .contains("BasicLoadBalancingPolicy");
    for (String product : new String[] {"selection", "driver", "server", "engine"}) {
      assertThat(folder.resolve("api").resolve(product).resolve("index.html")).exists();
    }
  }
}
