/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** What holds for all commands. */
class CommandLineTest {
  /** To look at; who runs one makes their own. */
  private static final CommandLine COMMANDS = Curtail.commandLine();

  private final Terminal terminal = new Terminal();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "test",
        "demo",
        "dist",
        "doctor",
        "compat",
        "lab",
        "simulate",
        "bench",
        "engine",
        "explain",
        "site"
      })
  void should_name_a_command_when_asked_for_help(String command) {
    assertThat(terminal.run("--help")).isZero();
    assertThat(terminal.out()).containsPattern("(?m)^  " + command + " +[A-Z]");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void should_explain_a_command_and_each_of_its_options(String command) {
    assertThat(terminal.run(command + "--help")).isZero();
    assertThat(terminal.out())
        .startsWith("Usage: curtail " + command)
        .contains("--stacktrace")
        .doesNotContainPattern("Default:( \\[])? *\\R");
    assertThat(terminal.err()).isEmpty();
    for (OptionSpec option : specOf(command).options()) {
      assertThat(option.description()).as(command + option.longestName()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  void should_show_the_same_help_both_ways(String command) {
    assertThat(terminal.run(command + "--help")).isZero();
    String help = terminal.out();
    assertThat(terminal.run(("help " + command).strip())).isZero();
    assertThat(terminal.out()).isEqualTo(help);
  }

  @ParameterizedTest
  @MethodSource("commandsOfJava")
  void should_refuse_an_unknown_option_in_one_line(String command) {
    assertThat(terminal.run(command + "--bogus")).isEqualTo(2);
    assertThat(terminal.err().strip())
        .startsWith("curtail: ")
        .contains("(see curtail " + command + "--help)")
        .hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "lab ", "simulate ", "bench ", "engine "})
  void should_say_in_one_line_what_can_be_done_when_a_command_is_missing(String group) {
    assertThat(terminal.run(group.strip())).isEqualTo(2);
    assertThat(terminal.err().strip())
        .startsWith("curtail: say what to do, one of")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "help lab rn, 'there is no command curtail lab rn (see curtail help --help)'",
    "demo --seed one, Invalid value for option '--seed'",
    "demo --out /proc/none, '--out: cannot write into /proc/none'",
    "site --out /proc/none, '--out: cannot write into /proc/none'",
    "site --out, Missing required parameter for option '--out'"
  })
  void should_say_what_is_wrong_before_it_begins(String command, String message) {
    assertThat(terminal.run(command)).isEqualTo(2);
    assertThat(terminal.err().strip()).startsWith("curtail: " + message).hasLineCount(1);
    assertThat(terminal.out()).isEmpty();
  }

  @Test
  void should_suggest_what_was_probably_meant() {
    assertThat(terminal.run("simulat")).isEqualTo(2);
    assertThat(terminal.err()).contains("did you mean simulate?");
    assertThat(terminal.run("lab start --nodse 3")).isEqualTo(2);
    assertThat(terminal.err()).contains("did you mean --nodes?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--out",
        "--json",
        "--pairs",
        "--mix",
        "--seed",
        "--seconds",
        "--heap",
        "--jit",
        "--network",
        "--directory",
        "--max-seconds",
        "--iteration-millis",
        "--stacktrace"
      })
  void should_mean_the_same_by_an_option_in_every_command(String name) {
    Map<String, String> meanings = new LinkedHashMap<>();
    commands()
        .filter(command -> specOf(command).findOption(name) != null)
        .forEach(command -> meanings.put(command, meaning(specOf(command).findOption(name))));
    assertThat(meanings).isNotEmpty();
    assertThat(meanings.values().stream().distinct()).as(meanings.toString()).hasSize(1);
  }

  @Test
  void should_write_an_option_the_same_way_in_every_command() {
    Map<String, Set<String>> spellings = new TreeMap<>();
    commands()
        .flatMap(command -> specOf(command).options().stream())
        .forEach(
            option ->
                spellings
                    .computeIfAbsent(option.longestName(), name -> new TreeSet<>())
                    .add(List.of(option.names()) + " " + option.paramLabel()));
    assertThat(spellings).containsKeys("--nodes", "--port", "--rate", "--rows");
    assertThat(spellings.values()).allSatisfy(each -> assertThat(each).hasSize(1));
  }

  private static String meaning(OptionSpec option) {
    return option.typeInfo().getType() + " " + List.of(option.description());
  }

  @Test
  void should_complete_scenarios_policies_and_mixes() {
    String script = AutoComplete.bash("curtail", Curtail.commandLine());
    assertThat(script)
        .contains("\"fluctuation\"", "\"zones\"", "\"engine-vs-stock\"", "\"stock-basic\"", "\"W\"")
        .contains("\"dynamic-snitch\"", "\"small-faults-disk\"", "\"rough-day-hot-keys\"");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void should_tell_an_error_in_one_line_and_its_stack_only_to_who_asks(
      Throwable error, int exitCode, String message) {
    CommandLine command = Curtail.commandLine().addSubcommand(new Failing(error));
    assertThat(terminal.run(command, "failing")).isEqualTo(exitCode);
    assertThat(terminal.err().strip()).isEqualTo("curtail: " + message);
    assertThat(terminal.run(command, "failing", "--stacktrace")).isEqualTo(exitCode);
    assertThat(terminal.err()).startsWith("curtail: " + message).contains("\tat io.curtail");
    assertThat(terminal.run(command, "--stacktrace", "failing")).isEqualTo(exitCode);
    assertThat(terminal.err()).contains("\tat io.curtail");
  }

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new IllegalArgumentException("rows: too many"), 2, "rows: too many"),
        Arguments.of(new IllegalStateException("no memory"), 1, "no memory"),
        Arguments.of(new IOException("gone"), 1, "IOException: gone"),
        Arguments.of(
            new UncheckedIOException(new NoSuchFileException("a.conf")), 1, "no such file: a.conf"),
        Arguments.of(
            new DriverTimeoutException("Query timed out after PT2S"),
            1,
            "the database did not do it: Query timed out after PT2S"),
        Arguments.of(
            new NullPointerException("x is null"),
            1,
            "a fault of Curtail itself, java.lang.NullPointerException: x is null"
                + " (--stacktrace says where; please report it)"),
        Arguments.of(
            new NoClassDefFoundError("io/curtail/Gone"),
            1,
            "a fault of Curtail itself, java.lang.NoClassDefFoundError: io/curtail/Gone"
                + " (--stacktrace says where; please report it)"),
        Arguments.of(
            new OutOfMemoryError("Java heap space"),
            1,
            "not enough memory: Java heap space (CURTAIL_JAVA_OPTIONS=-Xmx4g gives more)"));
  }

  @Command(name = "failing")
  private record Failing(Throwable error) implements Callable<Integer> {
    @Override
    public Integer call() throws Exception {
      if (error instanceof Error fatal) {
        throw fatal;
      }
      throw (Exception) error;
    }
  }

  /** Every command that does something, as it is typed, with a space after it. */
  static Stream<String> commands() {
    List<String> commands = new ArrayList<>();
    collect("", COMMANDS, commands);
    return commands.stream();
  }

  /** Those of which the launcher knows the options are not here. */
  static Stream<String> commandsOfJava() {
    return commands().filter(command -> !(specOf(command).userObject() instanceof LauncherCommand));
  }

  @ParameterizedTest
  @ValueSource(strings = {"test", "doctor", "dist", "compat"})
  void should_point_to_the_launcher_when_it_was_passed_by(String command) {
    assertThat(terminal.run(command + " -pl products/driver")).isEqualTo(1);
    assertThat(terminal.err().strip())
        .isEqualTo("curtail: the launcher does that: ./curtail " + command + " --help tells more");
  }

  private static void collect(String name, CommandLine command, List<String> commands) {
    commands.add(name);
    command
        .getSubcommands()
        .forEach((each, subcommand) -> collect(name + each + " ", subcommand, commands));
  }

  private static CommandSpec specOf(String command) {
    CommandLine line = COMMANDS;
    for (String name : command.split(" ", -1)) {
      line = name.isEmpty() ? line : line.getSubcommands().get(name);
    }
    return line.getCommandSpec();
  }
}
