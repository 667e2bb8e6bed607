/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.cli;

import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_OPTION_LIST;
import static picocli.CommandLine.Model.UsageMessageSpec.SECTION_KEY_PARAMETER_LIST;

import io.curtail.cli.bench.BenchCommand;
import io.curtail.cli.engine.EngineCommand;
import io.curtail.cli.lab.LabCommand;
import io.curtail.cli.output.CommandGroup;
import io.curtail.cli.simulate.Simulate;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;

/**
 * The {@code curtail} command. Exit codes: 0 done, 1 the work failed or a budget was not kept, 2
 * the command line or a setting was not understood.
 */
@Command(
    name = "curtail",
    description =
        "Cuts the tail latency of Apache Cassandra, with stock servers and stock drivers.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    versionProvider = Version.class,
    abbreviateSynopsis = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DemoCommand.class,
      LauncherCommand.Test.class,
      LauncherCommand.Doctor.class,
      LabCommand.class,
      Simulate.class,
      BenchCommand.class,
      EngineCommand.class,
      ExplainCommand.class,
      SiteCommand.class,
      LauncherCommand.Dist.class,
      LauncherCommand.Compat.class,
      HelpCommand.class,
      GenerateCompletion.class
    })
public final class Curtail extends CommandGroup {
  private static final String STACK_TRACE = "CURTAIL_STACKTRACE";

  @Option(
      names = "--stacktrace",
      scope = ScopeType.INHERIT,
      description = "Show where an error came from; " + STACK_TRACE + "=1 does so too.")
  private boolean stackTraces;

  private Curtail() {}

  static Curtail of(CommandLine command) {
    return (Curtail) command.getCommandSpec().root().userObject();
  }

  boolean wantsStackTraces() {
    return stackTraces
        || !List.of("", "0", "false")
            .contains(System.getenv().getOrDefault(STACK_TRACE, "").toLowerCase(Locale.ROOT));
  }

  public static void main(String[] arguments) {
    CommandLine command = commandLine();
    OneLineErrors.tellOfOtherThreads(command);
    System.exit(command.execute(arguments));
  }

  static CommandLine commandLine() {
    OneLineErrors errors = new OneLineErrors();
    CommandLine command = new CommandLine(new Curtail());
    // As a command that helps it would take any argument without a word.
    command.getSubcommands().get("generate-completion").getCommandSpec().helpCommand(false);
    Map<String, IHelpSectionRenderer> help = new HashMap<>(command.getHelpSectionMap());
    help.computeIfPresent(SECTION_KEY_OPTION_LIST, (key, list) -> withoutEmptyDefaults(list));
    help.computeIfPresent(SECTION_KEY_PARAMETER_LIST, (key, list) -> withoutEmptyDefaults(list));
    return command
        .setHelpSectionMap(help)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(Curtail::execute)
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors);
  }

  /** Without the lines that say of an option that it has no default. */
  private static IHelpSectionRenderer withoutEmptyDefaults(IHelpSectionRenderer list) {
    return help -> list.render(help).replaceAll("(?m)^ +Default:( \\[])? *\\R", "");
  }

  /** Hands over also what Java throws when it is out of memory or misses a class. */
  private static int execute(ParseResult parsed) {
    try {
      return new RunLast().execute(parsed);
    } catch (Error e) {
      throw new ExecutionException(parsed.commandSpec().commandLine(), e.toString(), e);
    }
  }
}
