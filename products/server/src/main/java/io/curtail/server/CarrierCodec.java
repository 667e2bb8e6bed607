/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.passing.Route;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * What travels with a read that may be passed on, big-endian.
 *
 * <pre>
 *   to a replica                            back to the coordinator
 *   1  version, now 2                       1  version
 *   1  its place in the route               8  id of the read
 *   1  terms: 0 stays, 1 may leave, 2 at once   1  place it should go to; -1 for none
 *   4  messaging version of the read        .  route without addresses
 *   .  route                                .  feedback
 *   .  read
 *
 *   route: 1 hops, 1 replicas, for each:
 *     address: 1 length, that many bytes, 4 port
 *     1 if something is known of it, then 8 expected ns, 8 age in ns; otherwise 0
 * </pre>
 *
 * Stateless and thread-safe.
 */
final class CarrierCodec {
  static final byte VERSION = 2;
  static final int MAX_REPLICAS = 30;
  private static final int HEAD = 16;
  private static final int REPLICA = 1 + 16 + 4 + 1 + 8 + 8;

  private CarrierCodec() {}

  /** A read as it came to a replica. */
  static final class Arrival {
    final Route route;
    final int place;
    final CarriedTerms terms;
    final int messagingVersion;
    final byte[] read;

    Arrival(Route route, int place, CarriedTerms terms, int messagingVersion, byte[] read) {
      this.route = route;
      this.place = place;
      this.terms = terms;
      this.messagingVersion = messagingVersion;
      this.read = read;
    }
  }

  static byte[] encode(Arrival arrival) {
    ByteBuffer out =
        ByteBuffer.allocate(HEAD + arrival.route.size() * REPLICA + arrival.read.length);
    out.put(VERSION).put((byte) arrival.place).put(arrival.terms.code);
    out.putInt(arrival.messagingVersion);
    putRoute(arrival.route, out, true);
    return bytes(out.put(arrival.read));
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException or another RuntimeException if it is of another version
   */
  static Arrival decode(byte[] bytes) {
    ByteBuffer in = start(bytes);
    int place = in.get();
    CarriedTerms terms = CarriedTerms.of(in.get());
    int messagingVersion = in.getInt();
    int hops = in.get();
    Object[] replicas = new Object[size(in)];
    double[] expected = new double[replicas.length];
    long[] age = new long[replicas.length];
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = address(in);
      readNote(in, expected, age, i);
    }
    if (place < 0 || place >= replicas.length) {
      throw new IllegalArgumentException("place " + place + " of " + replicas.length);
    }
    byte[] read = new byte[in.remaining()];
    in.get(read);
    Route route = route(replicas, expected, age, hops);
    return new Arrival(route, place, terms, messagingVersion, read);
  }

  /** A read that was given back. */
  static final class Return {
    final long id;
    final int next;
    private final ByteBuffer rest;

    Return(long id, int next, ByteBuffer rest) {
      this.id = id;
      this.next = next;
      this.rest = rest;
    }

    /** Returns the route with what those that had the read told; to be called first, once. */
    Route route(Route sent) {
      int hops = rest.get();
      Object[] replicas = new Object[size(rest)];
      if (replicas.length != sent.size()) {
        throw new IllegalArgumentException(replicas.length + " replicas of " + sent.size());
      }
      double[] expected = new double[replicas.length];
      long[] age = new long[replicas.length];
      for (int i = 0; i < replicas.length; i++) {
        replicas[i] = sent.replica(i);
        readNote(rest, expected, age, i);
      }
      return CarrierCodec.route(replicas, expected, age, hops);
    }

    /** Returns the feedback of the replica that gave it back. */
    byte[] feedback() {
      byte[] feedback = new byte[rest.remaining()];
      rest.get(feedback);
      return feedback;
    }
  }

  static byte[] encodeReturn(long id, int next, Route route, byte[] feedback) {
    ByteBuffer out = ByteBuffer.allocate(HEAD + route.size() * REPLICA + feedback.length);
    out.put(VERSION).putLong(id).put((byte) next);
    putRoute(route, out, false);
    return bytes(out.put(feedback));
  }

  /** Reads the head of what {@link #encodeReturn} wrote. */
  static Return decodeReturn(byte[] bytes) {
    ByteBuffer in = start(bytes);
    return new Return(in.getLong(), in.get(), in);
  }

  private static ByteBuffer start(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte version = in.get();
    if (version != VERSION) {
      throw new IllegalArgumentException("version " + version + " of a carried read");
    }
    return in;
  }

  private static int size(ByteBuffer in) {
    int size = in.get();
    if (size < 1 || size > MAX_REPLICAS) {
      throw new IllegalArgumentException(size + " replicas");
    }
    return size;
  }

  // Of a read that came back to this node, which may note what it expects of itself just now, while
  // a second copy leaves with the same route: what is said of a replica must stay in step.
  private static void putRoute(Route route, ByteBuffer out, boolean withAddresses) {
    out.put((byte) route.hops()).put((byte) route.size());
    for (int i = 0; i < route.size(); i++) {
      if (withAddresses) {
        InetAddressAndPort address = (InetAddressAndPort) route.replica(i);
        byte[] host = address.getAddress().getAddress();
        out.put((byte) host.length).put(host).putInt(address.getPort());
      }
      boolean known = route.knows(i);
      out.put((byte) (known ? 1 : 0));
      if (known) {
        out.putDouble(route.expectedNanos(i)).putLong(route.ageNanos(i));
      }
    }
  }

  private static void readNote(ByteBuffer in, double[] expected, long[] age, int place) {
    boolean known = in.get() != 0;
    expected[place] = known ? in.getDouble() : -1;
    age[place] = known ? in.getLong() : -1;
  }

  private static Route route(Object[] replicas, double[] expected, long[] age, int hops) {
    Route route = new Route(replicas);
    for (int i = 0; i < replicas.length; i++) {
      if (age[i] >= 0) {
        route.note(i, expected[i], age[i]);
      }
    }
    for (int i = 0; i < hops; i++) {
      route.hop();
    }
    return route;
  }

  private static InetAddressAndPort address(ByteBuffer in) {
    byte[] host = new byte[in.get()];
    in.get(host);
    try {
      return InetAddressAndPort.getByAddressOverrideDefaults(
          InetAddress.getByAddress(host), in.getInt());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address of " + host.length + " bytes", e);
    }
  }

  private static byte[] bytes(ByteBuffer out) {
    out.flip();
    byte[] bytes = new byte[out.remaining()];
    out.get(bytes);
    return bytes;
  }
}
