/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import io.curtail.cli.output.ErrorText;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Tells an error in one line, and shows a stack trace only to a user who asks for it.
 *
 * <p>{@link IllegalArgumentException} is bad input (exit code 2); {@link IllegalStateException},
 * errors of I/O and of the database are a machine that cannot do it (exit code 1). Anything else is
 * a fault of ours.
 */
final class OneLineErrors implements IExecutionExceptionHandler, IParameterExceptionHandler {
  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    String like = UnmatchedArgumentException.class.isInstance(e) ? suggestion(e) : "";
    tell(
        command,
        e,
        e.getMessage() + like + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
    return ExitCode.USAGE;
  }

  private static String suggestion(ParameterException e) {
    var suggestions = ((UnmatchedArgumentException) e).getSuggestions();
    return suggestions.isEmpty() ? "" : ", did you mean " + suggestions.get(0) + "?";
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    Throwable error = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
    tell(command, error, ErrorText.of(error));
    return error instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** Errors of threads that nobody waits for. */
  static void tellOfOtherThreads(CommandLine command) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> tell(command, error, ErrorText.of(error)));
  }

  private static void tell(CommandLine command, Throwable error, String message) {
    PrintWriter err = command.getErr();
    err.println("curtail: " + message);
    if (Curtail.of(command).wantsStackTraces()) {
      error.printStackTrace(err);
    }
    err.flush();
  }
}
