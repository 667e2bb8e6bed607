/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import picocli.CommandLine.Option;

/** Who the user is to a node that asks. */
final class Credentials {
  @Option(
      names = {"-u", "--username"},
      description = "User name, if the node asks for one.")
  private String username;

  @Option(
      names = "--password",
      interactive = true,
      arity = "0..1",
      description = "Asked for if no value is given.")
  private char[] password;

  /**
   * @throws IllegalArgumentException if there is a password, and nobody's
   */
  boolean areGiven() {
    if (username == null && password != null) {
      throw new IllegalArgumentException("--password: say whose with --username");
    }
    return username != null;
  }

  /** Null if none is given. */
  String username() {
    return username;
  }

  /** Empty if none is given. */
  String password() {
    return password == null ? "" : new String(password);
  }
}
