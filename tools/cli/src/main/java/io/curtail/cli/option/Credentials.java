/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.option;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Who the user is to a node that asks. */
public final class Credentials {
  @Option(
      names = {"-u", "--username"},
      description = "User name, if the node asks for one.")
  private String username;

  @Option(
      names = "--password",
      interactive = true,
      arity = "0..1",
      preprocessor = OnlyAttached.class,
      description = "Asked for if no value is given, as in --password=VALUE.")
  private char[] password;

  /** Leaves what follows after a space to the operands; empty is then what is to be asked for. */
  static final class OnlyAttached implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      boolean isAttached = "=".equals(info.get("separator"));
      if (!isAttached) {
        option.setValue(new char[0]);
      }
      return !isAttached;
    }
  }

  /**
   * Whether there is a user name. Asks for the password if it is to be asked for.
   *
   * @throws IllegalArgumentException if there is a password, and nobody's
   */
  public boolean areGiven() {
    if (username == null && password != null) {
      throw new IllegalArgumentException("--password: say whose with --username");
    }
    if (password != null && password.length == 0) {
      password = ask();
    }
    return username != null;
  }

  /** Null at the end of the input. */
  @SuppressWarnings("SystemConsoleNull") // a console reads from what is no terminal, too
  private static char[] ask() {
    Console console = System.console();
    if (console != null) {
      return console.readPassword("Password: ");
    }
    try {
      String line =
          new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
      return line == null ? null : line.toCharArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Null if none is given. */
  public String username() {
    return username;
  }

  /** Empty if none is given. */
  public String password() {
    return password == null ? "" : new String(password);
  }
}
