/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.selection;

import java.nio.ByteBuffer;

/**
 * Feedback on the wire, {@value #LENGTH} bytes, big-endian:
 *
 * <pre>
 *   offset  bytes  field
 *        0      1  version, now 1
 *        1      2  waiting reads, unsigned; more are told as 65,535
 *        3      2  active reads, likewise
 *        5      2  slots, likewise; 0 if the server does not say
 *        7      4  service time in units of 100 ns, unsigned; at most 429 s
 * </pre>
 *
 * What this version cannot read (another version, another length) is no feedback, never an error: a
 * peer may be older, newer or hostile. Stateless and thread-safe.
 */
public final class FeedbackCodec {
  /** The length of an encoded feedback in bytes. */
  public static final int LENGTH = 11;

  /** Of a driver's request that asks for it, and of the answer: in the custom payload. */
  public static final String PAYLOAD_KEY = "curtail.feedback";

  /**
   * Of a driver's request that is a second copy, which a node without a free thread refuses: in the
   * custom payload, whatever the value.
   */
  public static final String COPY_KEY = "curtail.copy";

  private static final byte VERSION = 1;
  private static final int MAX_SHORT = 0xFFFF;
  private static final long MAX_INT = 0xFFFF_FFFFL;
  private static final long UNIT_NANOS = 100;

  private FeedbackCodec() {}

  /** Returns the feedback in {@value #LENGTH} bytes. */
  public static byte[] encode(Feedback feedback) {
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
  public static Feedback decode(byte[] bytes) {
    return bytes == null ? null : decode(ByteBuffer.wrap(bytes));
  }

  /**
   * Returns the feedback in what remains of the buffer, whose position does not move, or null if
   * there is none that this version understands.
   */
  public static Feedback decode(ByteBuffer buffer) {
    if (buffer == null
        || buffer.remaining() != LENGTH
        || buffer.get(buffer.position()) != VERSION) {
      return null;
    }
    int start = buffer.position();
    return new Feedback(
        Short.toUnsignedInt(buffer.getShort(start + 1)),
        Short.toUnsignedInt(buffer.getShort(start + 3)),
        Short.toUnsignedInt(buffer.getShort(start + 5)),
        Integer.toUnsignedLong(buffer.getInt(start + 7)) * UNIT_NANOS);
  }
}
