/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Every thread that writes has some. */
class ByteWriterTest {
  @Test
  void should_keep_its_memory_when_it_is_usual_and_give_it_back_when_it_was_large() {
    ByteWriter writer = new ByteWriter();
    writer.append(new byte[10_000]);
    writer.clear();
    assertThat(writer.array().length).isGreaterThanOrEqualTo(10_000);
    writer.append(new byte[4 << 20]);
    writer.clear();
    assertThat(writer.array().length).isLessThan(1_000);
    writer.write(7);
    assertThat(writer.toArray()).containsExactly(7);
  }
}
