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
 *        1      4  waiting reads, signed, at least 0
 *        5      4  active reads, signed, at least 0
 *        9      2  slots, unsigned, 0 if the server does not say
 *       11      8  service time in nanoseconds, signed, at least 0
 * </pre>
 *
 * What this version cannot read (another version, another length, a negative number) is no
 * feedback, never an error: a peer may be older, newer or hostile. Stateless and thread-safe.
 */
public final class FeedbackCodec {
  /** The length of an encoded feedback in bytes. */
  public static final int LENGTH = 19;

  private static final byte VERSION = 1;
  private static final int MAX_SLOTS = 0xFFFF;

  private FeedbackCodec() {}

  /** Returns the feedback in {@value #LENGTH} bytes. More than 65,535 slots are told as 65,535. */
  public static byte[] encode(Feedback feedback) {
    byte[] bytes = new byte[LENGTH];
    ByteBuffer.wrap(bytes)
        .put(VERSION)
        .putInt(feedback.waiting())
        .putInt(feedback.active())
        .putShort((short) Math.min(feedback.slots(), MAX_SLOTS))
        .putLong(feedback.serviceTimeNanos());
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
    ByteBuffer bytes = buffer.duplicate();
    bytes.get();
    int waiting = bytes.getInt();
    int active = bytes.getInt();
    int slots = Short.toUnsignedInt(bytes.getShort());
    long serviceTimeNanos = bytes.getLong();
    return waiting < 0 || active < 0 || serviceTimeNanos < 0
        ? null
        : new Feedback(waiting, active, slots, serviceTimeNanos);
  }
}
