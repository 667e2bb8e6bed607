/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.curtail.site.MarkdownPage;
import io.curtail.site.Pages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Each command that a page tells its reader to type is there, with its options. */
class DocumentedCommandsTest {
  private static final Path PROJECT = Path.of("../..").toAbsolutePath().normalize();

  private static final CommandLine CURTAIL = Curtail.commandLine();

  /** Dated notes tell what was typed on their day. */
  private static final Path NOTES = Path.of("docs/notes");

  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:\\./curtail|^ *curtail)((?: [^\\n#|;&>)]*)?)");

  /** The launcher does these itself; what they take stands in their scripts. */
  private static final List<String> OF_THE_LAUNCHER = List.of("dist", "compat", "doctor");

  @Test
  void should_find_all_commands_of_the_pages() throws IOException {
    List<String> wrong = new ArrayList<>();
    int found = 0;
    for (MarkdownPage page : Pages.of(PROJECT).all()) {
      if (page.path().startsWith(NOTES)) {
        continue;
      }
      for (String code : page.code()) {
        Matcher command = COMMAND.matcher(code.replace("\\\n", " "));
        while (command.find()) {
          found++;
          String fault = fault(command.group(1).strip());
          if (fault != null) {
            wrong.add(page.path() + ": curtail " + command.group(1).strip() + ": " + fault);
          }
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(found).isGreaterThan(50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "demonstrate",
        "lab begin",
        "simulate run fluctuation --bogus 1",
        "simulate --seeds 3 run",
        "dist --bogus"
      })
  void should_tell_a_command_that_is_not_there(String arguments) throws IOException {
    assertThat(fault(arguments)).isNotNull();
  }

  /** What is wrong with the arguments, or null. */
  private static String fault(String arguments) throws IOException {
    Deque<String> words =
        new ArrayDeque<>(List.of(arguments.replaceAll("\"[^\"]*\"", "quoted").split("\\s+")));
    if (words.getFirst().equals("test")) {
      return null;
    }
    if (OF_THE_LAUNCHER.contains(words.getFirst())) {
      return faultOfScript(words);
    }
    CommandLine command = CURTAIL;
    boolean named = false;
    while (!words.isEmpty() && !words.getFirst().equals("...")) {
      String word = words.removeFirst();
      if (word.startsWith("-") && word.length() > 1) {
        String name = word.replaceFirst("=.*", "");
        OptionSpec option = command.getCommandSpec().findOption(name);
        if (option == null) {
          return "no option " + name;
        }
        if (option.arity().min() > 0 && !word.contains("=")) {
          words.pollFirst();
        }
      } else if (!named && command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (command.getCommandSpec().positionalParameters().isEmpty() && !word.isEmpty()) {
        return "no command " + word;
      } else {
        named = true;
      }
    }
    return null;
  }

  private static String faultOfScript(Deque<String> words) throws IOException {
    String script = Files.readString(PROJECT.resolve("packaging").resolve(words.removeFirst()));
    for (String word : words) {
      String name = word.replaceFirst("=.*", "");
      if (name.startsWith("--") && !script.contains(name + ")") && !script.contains(name + "|")) {
        return "no option " + name;
      }
    }
    return null;
  }
}
