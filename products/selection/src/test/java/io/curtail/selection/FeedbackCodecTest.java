/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FeedbackCodecTest {
  @Test
  void should_keep_the_wire_format_of_version_1() {
    assertThat(FeedbackCodec.encode(new Feedback(1, 2, 32, 4_000_000)))
        .containsExactly(1, 0, 1, 0, 2, 0, 32, 0, 0, 0x9C, 0x40);
  }

  @Property
  void should_read_what_it_wrote(
      @ForAll @IntRange(min = 0) int waiting,
      @ForAll @IntRange(min = 0) int active,
      @ForAll @IntRange(min = 0) int slots,
      @ForAll @LongRange(min = 0) long serviceTime) {
    Feedback decoded =
        FeedbackCodec.decode(
            FeedbackCodec.encode(new Feedback(waiting, active, slots, serviceTime)));
    assertThat(decoded.waiting()).isEqualTo(Math.min(waiting, 65_535));
    assertThat(decoded.active()).isEqualTo(Math.min(active, 65_535));
    assertThat(decoded.slots()).isEqualTo(Math.min(slots, 65_535));
    assertThat(decoded.serviceTimeNanos())
        .isEqualTo(Math.min(serviceTime / 100, 0xFFFF_FFFFL) * 100);
  }

  @Property
  void should_take_any_bytes_for_feedback_or_for_none(@ForAll byte[] bytes) {
    Feedback decoded = FeedbackCodec.decode(bytes);
    if (decoded != null) {
      assertThat(FeedbackCodec.encode(decoded)).isEqualTo(bytes);
    }
  }

  @Property
  void should_take_any_bytes_of_the_right_length_and_version_for_feedback(
      @ForAll @Size(FeedbackCodec.LENGTH) byte[] bytes) {
    bytes[0] = 1;
    assertThat(FeedbackCodec.encode(FeedbackCodec.decode(bytes))).isEqualTo(bytes);
  }

  @Property
  void should_ignore_other_versions_and_lengths(
      @ForAll byte version, @ForAll @IntRange(max = 64) int length) {
    byte[] bytes = Arrays.copyOf(FeedbackCodec.encode(new Feedback(1, 1, 1, 1)), length);
    if (length > 0) {
      bytes[0] = version;
    }
    boolean readable = length == FeedbackCodec.LENGTH && version == 1;
    assertThat(FeedbackCodec.decode(bytes) != null).isEqualTo(readable);
  }

  @Test
  void should_leave_the_buffer_where_it_was() {
    ByteBuffer buffer = ByteBuffer.allocate(32);
    buffer.position(5).limit(5 + FeedbackCodec.LENGTH);
    buffer.duplicate().put(FeedbackCodec.encode(new Feedback(7, 8, 9, 1_000)));
    assertThat(FeedbackCodec.decode(buffer)).isEqualTo(new Feedback(7, 8, 9, 1_000));
    assertThat(buffer.position()).isEqualTo(5);
  }

  @Test
  void should_take_nothing_for_no_feedback() {
    assertThat(FeedbackCodec.decode((byte[]) null)).isNull();
    assertThat(FeedbackCodec.decode((ByteBuffer) null)).isNull();
  }
}
