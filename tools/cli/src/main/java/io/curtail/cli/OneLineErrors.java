/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * What a user did wrong, or what the machine lacks, is told in one line; only a fault of ours shows
 * a stack trace.
 *
 * <p>{@link IllegalArgumentException} is bad input (exit code 2); {@link IllegalStateException} and
 * I/O errors are a machine that cannot do it (exit code 1). Both carry a message written for the
 * user.
 */
final class OneLineErrors implements IExecutionExceptionHandler {
  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    int code = e instanceof IllegalArgumentException ? ExitCode.USAGE : ExitCode.SOFTWARE;
    if (e instanceof IllegalArgumentException || e instanceof IllegalStateException || isIo(e)) {
      command.getErr().println("curtail: " + message(e));
    } else {
      e.printStackTrace(command.getErr());
    }
    command.getErr().flush();
    return code;
  }

  private static boolean isIo(Exception e) {
    return e instanceof IOException || e instanceof UncheckedIOException;
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null
        ? e.toString()
        : isIo(e) ? e.getClass().getSimpleName() + ": " + message : message;
  }
}
