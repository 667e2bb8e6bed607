/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli.output;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/**
 * What an error says to a user.
 *
 * <p>{@link IllegalArgumentException}, {@link IllegalStateException}, errors of I/O and of the
 * database carry a message written for the user. Anything else is a fault of ours.
 */
public final class ErrorText {
  private ErrorText() {}

  /** What went wrong, for the user. */
  public static String of(Throwable error) {
    if (error instanceof UncheckedIOException unchecked) {
      return of(unchecked.getCause());
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

  /** What is at the bottom of an error of a connection, for the end of a line. */
  public static String lowestCause(Throwable error) {
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
}
