/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Says what is wrong with settings before a node has them: {@code java -cp curtail-server.jar
 * io.curtail.server.CheckSettings curtail.properties}, or single ones, {@code mode=rank
 * refresh_ms=500}. Ends with 0 if they are right, 2 if not.
 */
public final class CheckSettings {
  private CheckSettings() {}

  public static void main(String[] arguments) {
    try {
      System.out.println(check(arguments));
    } catch (IOException | IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /**
   * Says that a file, or settings of a running node, are right.
   *
   * @throws IllegalArgumentException in one line for the operator, if a name or a value is not
   *     understood, a setting is missing or there is no file
   * @throws IOException if the file cannot be read
   */
  static String check(String... arguments) throws IOException {
    if (arguments.length == 0) {
      throw new IllegalArgumentException("a file of settings expected, or setting=value");
    }
    if (arguments.length == 1 && arguments[0].indexOf('=') < 0) {
      return file(Path.of(arguments[0]));
    }
    return right(Settings.defaults().withLive(single(arguments)));
  }

  private static String file(Path path) throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IllegalArgumentException("no such file: " + path);
    }
    Settings settings = Settings.defaults().with(new SettingsFile(path).read());
    if (settings.delegateSnitch().isEmpty()) {
      throw new IllegalArgumentException(
          Knob.DELEGATE_SNITCH + ": " + Knob.DELEGATE_SNITCH.description());
    }
    return right(settings);
  }

  private static String right(Settings settings) {
    return "right, mode " + settings.text(Knob.MODE);
  }

  private static Map<String, String> single(String... arguments) {
    Map<String, String> values = new HashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("setting=value expected, not '" + argument + "'");
      }
      values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return values;
  }
}
