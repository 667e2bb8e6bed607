/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
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
 * errors of I/O and of the database are a machine that cannot do it (exit code 1): these carry a
 * message written for the user. Anything else is a fault of ours.
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
    tell(command, error, message(error));
    return error instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
  }

  /** Errors of threads that nobody waits for. */
  static void tellOfOtherThreads(CommandLine command) {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, error) -> tell(command, error, message(error)));
  }

  private static void tell(CommandLine command, Throwable error, String message) {
    PrintWriter err = command.getErr();
    err.println("curtail: " + message);
    if (Curtail.of(command).wantsStackTraces()) {
      error.printStackTrace(err);
    }
    err.flush();
  }

  /** What is at the bottom of an error of a connection, for the end of a line. */
  static String lowestCause(Throwable error) {
    Throwable lowest = error;
    while (lowest.getCause() != null) {
      lowest = lowest.getCause();
    }
    if (lowest instanceof UnknownHostException) {
      return "no such host";
    }
    if (lowest instanceof ClosedChannelException) {
      return "the connection was refused, or closed at once";
    }
    return lowest.getMessage() == null ? lowest.toString() : lowest.getMessage();
  }

  /** What went wrong, for the user. */
  static String message(Throwable error) {
    if (error instanceof UncheckedIOException unchecked) {
      return message(unchecked.getCause());
    }
    if (error instanceof NoSuchFileException) {
      return "no such file: " + error.getMessage();
    }
    if (error instanceof AccessDeniedException) {
      return "not allowed to use the file " + error.getMessage();
    }
    if (error instanceof FileAlreadyExistsException) {
      return "there is a file already: " + error.getMessage();
    }
    if (error instanceof OutOfMemoryError) {
      return "not enough memory: "
          + error.getMessage()
          + " (CURTAIL_JAVA_OPTIONS=-Xmx4g gives more)";
    }
    String type = error.getClass().getSimpleName();
    String message = error.getMessage() == null ? type : error.getMessage();
    if (error instanceof IllegalArgumentException || error instanceof IllegalStateException) {
      return message;
    }
    if (error instanceof IOException) {
      return type + ": " + message;
    }
    if (error instanceof DriverException) {
      return "the database did not do it: " + message;
    }
    return "a fault of Curtail itself, " + error + " (--stacktrace says where; please report it)";
  }
}
