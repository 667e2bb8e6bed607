/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.Feedback;
import java.nio.ByteBuffer;

/**
 * Feedback between nodes, {@value #LENGTH} bytes, big-endian; {@value #WIRE_LENGTH} with the
 * parameter around it:
 *
 * <pre>
 *   offset  bytes  field
 *        0      1  version, now 1
 *        1      2  waiting reads, unsigned; more are told as 65,535
 *        3      2  active reads, likewise
 *        5      2  slots, likewise
 *        7      4  service time in units of 100 ns, unsigned; at most 429 s
 * </pre>
 *
 * Smaller than the drivers' {@link io.curtail.selection.FeedbackCodec}, because it rides on every
 * answer between nodes. What this version cannot read is no feedback, never an error.
 */
final class InternodeFeedback {
  /** In the custom parameters of a message; other plug-ins have theirs beside it. */
  static final String KEY = "ct";

  static final int LENGTH = 11;
  static final int WIRE_LENGTH = 19;
  private static final byte VERSION = 1;
  private static final int MAX_SHORT = 0xFFFF;
  private static final long MAX_INT = 0xFFFF_FFFFL;
  private static final long UNIT_NANOS = 100;

  private InternodeFeedback() {}

  static byte[] encode(Feedback feedback) {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer.wrap(bytes)
        .put(VERSION)
        .putShort((short) Math.min(feedback.waiting(), MAX_SHORT))
        .putShort((short) Math.min(feedback.active(), MAX_SHORT))
        .putShort((short) Math.min(feedback.slots(), MAX_SHORT))
        .putInt((int) Math.min(feedback.serviceTimeNanos() / UNIT_NANOS, MAX_INT));
    return bytes;
  }

  /** Returns the feedback, or null if there is none that this version understands. */
  static Feedback decode(byte[] bytes) {
    if (bytes == null || bytes.length != LENGTH || bytes[0] != VERSION) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, LENGTH - 1);
    return new Feedback(
        Short.toUnsignedInt(in.getShort()),
        Short.toUnsignedInt(in.getShort()),
        Short.toUnsignedInt(in.getShort()),
        Integer.toUnsignedLong(in.getInt()) * UNIT_NANOS);
  }
}
