/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.network;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The 254 loopback addresses {@code 127.second.third.1 - .254} of one lab. Zone {@code z} (from 0)
 * has {@code .32(z+1)} to {@code .32(z+1)+31}: nodes from the second on, the clients of the zone at
 * the twenty-first.
 */
public record AddressBlock(int second, int third) {
  public static final int STORAGE_PORT = 7000;
  public static final int NATIVE_PORT = 9042;
  private static final int ZONE_SIZE = 32;
  private static final int CLIENT_OFFSET = 20;

  /** Of a node, numbered from 1, the zones taking turns. */
  public String node(int index, int zones) {
    return zonePrefix(zoneOf(index, zones), 1 + (index - 1) / zones);
  }

  /** The zone of a node, from 0: neighbours on the ring are in different zones. */
  public static int zoneOf(int index, int zones) {
    return (index - 1) % zones;
  }

  /** What a client in a zone (from 0) binds its connections to, so that the lab knows its zone. */
  public String client(int zone) {
    return zonePrefix(zone, CLIENT_OFFSET);
  }

  /** The zone (from 0) of an address, by its last byte. */
  static int zoneOfSuffix(int suffix) {
    return suffix / ZONE_SIZE - 1;
  }

  /** The first three bytes of every address. */
  public String prefix() {
    return "127." + second + "." + third;
  }

  /** All addresses of a zone (from 0), as {@code address/27}. */
  public String zone(int zone) {
    return zonePrefix(zone, 0) + "/27";
  }

  /** Short and unique on this machine, for names of interfaces and namespaces. */
  public String label() {
    return second + "-" + third;
  }

  private String zonePrefix(int zone, int offset) {
    return prefix() + "." + (ZONE_SIZE * (zone + 1) + offset);
  }

  /** Of an address in figures; never asks a name server. */
  public static InetAddress parse(String address) {
    try {
      return InetAddress.getByName(address);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + address, e);
    }
  }
}
