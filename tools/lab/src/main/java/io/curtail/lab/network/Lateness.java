/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much later than they should packets were let go, besides the constant overhead that the
 * latencies allow for. Counted since the network was made. Immutable.
 */
public final class Lateness {
  private static final int BUCKETS = 101;
  private static final int BUCKET_MICROS = 10;
  static final int FILE_BYTES = (2 + BUCKETS) * Long.BYTES;

  private final long packets;
  private final long nanos;
  private final long[] byBucket;

  /**
   * A reading.
   *
   * @param byBucket packets by lateness, 10 microseconds a bucket, the last one for 1 ms and more
   */
  private Lateness(long packets, long nanos, long[] byBucket) {
    this.packets = packets;
    this.nanos = nanos;
    this.byBucket = byBucket;
  }

  static Lateness read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
    long packets = bytes.getLong();
    long nanos = bytes.getLong();
    long[] buckets = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      buckets[i] = bytes.getLong();
    }
    return new Lateness(packets, nanos, buckets);
  }

  /** What came after an earlier reading. */
  public Lateness since(Lateness earlier) {
    long[] difference = new long[BUCKETS];
    for (int i = 0; i < BUCKETS; i++) {
      difference[i] = byBucket[i] - earlier.byBucket[i];
    }
    return new Lateness(packets - earlier.packets, nanos - earlier.nanos, difference);
  }

  public long packets() {
    return packets;
  }

  public double meanMicros() {
    return packets == 0 ? 0 : nanos / 1000.0 / packets;
  }

  /** The share of packets that were at least this late; of steps of 10, at most 1000. */
  public double shareLaterThan(int micros) {
    long later = 0;
    for (int i = micros / BUCKET_MICROS; i < BUCKETS; i++) {
      later += byBucket[i];
    }
    return packets == 0 ? 0 : (double) later / packets;
  }
}
