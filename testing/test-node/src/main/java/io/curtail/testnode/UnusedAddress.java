/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.function.IntFunction;

/**
 * Loopback addresses for the nodes of tests: each process has others, and where two would have the
 * same the later takes the next. The lab asks for free ports here, too.
 */
public final class UnusedAddress {
  private static final int MOST = 100;
  private static final int BLOCKS = 250;

  private UnusedAddress() {}

  /**
   * The first of a block of addresses, {@code 127.x.y.1}.
   *
   * @param second the first that {@code x} may be
   * @param count how many it may be
   * @param port at which nothing may listen
   */
  public static byte[] ofBlock(int second, int count, int port) {
    long process = ProcessHandle.current().pid();
    return first(
        port,
        number -> {
          long block = process + number;
          return new byte[] {
            127, (byte) (second + block / BLOCKS % count), (byte) (block % BLOCKS), 1
          };
        });
  }

  /** The first of some, numbered from 0, at whose port nothing listens. */
  static byte[] first(int port, IntFunction<byte[]> addresses) {
    for (int number = 0; number < MOST; number++) {
      byte[] address = addresses.apply(number);
      if (canBind(inet(address), port)) {
        return address;
      }
    }
    throw new IllegalStateException("on " + MOST + " addresses something listens on port " + port);
  }

  /** As text, such as {@code 127.100.4.1}. */
  static String text(byte[] address) {
    return inet(address).getHostAddress();
  }

  private static InetAddress inet(byte[] address) {
    try {
      return InetAddress.getByAddress(address);
    } catch (UnknownHostException e) {
      throw new UncheckedIOException(e); // of another length
    }
  }

  /** Whether nothing listens there. */
  public static boolean canBind(InetAddress address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
