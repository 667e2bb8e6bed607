/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** Runs commands as the launcher would, and keeps what they print. */
public final class Terminal {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  /** Returns the exit code; arguments are between single spaces. */
  public int run(String command) {
    return run(command.isEmpty() ? new String[0] : command.split(" ", -1));
  }

  /** Returns the exit code; arguments may hold spaces. */
  public int run(String... arguments) {
    return run(Curtail.commandLine(), arguments);
  }

  /** The same of a command line of its own. */
  public int run(CommandLine command, String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return command
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  /** What the latest command printed to the standard output. */
  public String out() {
    return out.toString();
  }

  /** The same as JSON. */
  public JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out());
  }

  /** What the latest command printed to the standard error. */
  public String err() {
    return err.toString();
  }
}
