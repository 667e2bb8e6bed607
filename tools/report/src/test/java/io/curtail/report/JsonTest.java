/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonTest {
  record Result(
      String policy, double p99Millis, Double absent, List<Double> shares, List<Integer> n) {}

  @Test
  void should_keep_the_order_of_components_and_write_no_nan() {
    Result result = new Result("c3", 1.23456789, null, List.of(0.5, Double.NaN), List.of(1));
    assertThat(Json.of(result).replaceAll("\\s", ""))
        .isEqualTo("{\"policy\":\"c3\",\"p99Millis\":1.234568,\"shares\":[0.5,null],\"n\":[1]}");
  }

  @Test
  void should_read_back_what_it_wrote(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("result.json");
    Json.write(file, new Result("c3", 2, 1.5, List.of(3.0), List.of()));
    Result read = Json.read(file, Result.class);
    assertThat(read.policy()).isEqualTo("c3");
    assertThat(read.absent()).isEqualTo(1.5);
    assertThat(read.shares()).containsExactly(3.0);
  }
}
