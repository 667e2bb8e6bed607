/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import io.curtail.report.Json;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What a command finds, as text for people or as JSON for programs, on the standard output; what it
 * has to say on the way goes to the standard error.
 */
public class Output {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(names = "--json", description = "Print JSON in place of text.")
  private boolean json;

  /** Prints the results: all components of them as JSON, or the text. */
  public final void print(Object results, Supplier<String> text) {
    PrintWriter out = command.commandLine().getOut();
    out.print(json ? Json.of(results) : text.get());
    out.flush();
  }

  /** Whether the user wants JSON. */
  protected final boolean isJson() {
    return json;
  }

  /** Tells what is going on. */
  public final void progress(String line) {
    PrintWriter err = command.commandLine().getErr();
    err.println(line);
    err.flush();
  }

  /** Of the command. */
  final String name() {
    return command.name();
  }

  /** As a user would type it. */
  public final String commandLine() {
    return "curtail "
        + String.join(" ", command.root().commandLine().getParseResult().originalArgs());
  }
}
