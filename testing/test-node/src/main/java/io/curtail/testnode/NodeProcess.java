/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.testnode;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A child JVM with a stock node in it: started, asked, stopped or killed, and started again on the
 * same directory.
 *
 * <p>One thread talks to it at a time.
 */
public final class NodeProcess implements AutoCloseable {
  private static final int STOP_MINUTES = 3;

  private final Process process;
  private final Path unpacked;
  private final BufferedWriter statements;
  private final BufferedReader answers;

  private NodeProcess(Process process, Path unpacked) {
    this.process = process;
    this.unpacked = unpacked;
    statements =
        new BufferedWriter(
            new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Starts a node and returns when it serves CQL.
   *
   * @throws IllegalStateException if the node refuses to start; the message says why
   */
  public static NodeProcess start(NodeSettings settings) throws IOException {
    boolean archiving = settings.isClassArchiveMissing();
    List<String> command = new ArrayList<>();
    command.add("setsid"); // a session of its own: not ended by the terminal's Ctrl-C
    command.add(ChildJvm.java());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(NodeFlags.all());
    settings.write().forEach((key, value) -> command.add("-D" + key + "=" + value));
    Files.createDirectories(settings.directory().resolve("logs"));
    Path unpacked = UnpackedLibraries.newName();
    command.add("-Djava.io.tmpdir=" + unpacked);
    command.addAll(settings.jvmFlags());
    command.addAll(List.of("-cp", settings.classPath()));
    command.add(NodeMain.class.getName());
    command.addAll(List.of(settings.directory().toString(), unpacked.toString()));
    File errors = settings.directory().resolve("logs/stderr.log").toFile();
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(errors))
            .directory(settings.directory().toFile())
            .start();
    NodeProcess node = new NodeProcess(process, unpacked);
    String first = node.answers.readLine();
    if (!"READY".equals(first)) {
      node.kill();
      throw new IllegalStateException("the node did not start: " + first + "; see " + errors);
    }
    if (archiving) {
      node.archiveClasses(settings.classArchive());
    }
    return node;
  }

  /** The JVM writes a file with another name first; without one, later nodes start as slowly. */
  private void archiveClasses(Path file) throws IOException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(pid()),
                "VM.cds",
                "dynamic_dump",
                file.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean unused = waitFor(jcmd);
  }

  /** Where its libraries unpack native code; gone when it was killed or has stopped. */
  public Path unpacked() {
    return unpacked;
  }

  public long pid() {
    return process.pid();
  }

  /**
   * Runs a statement and returns its rows.
   *
   * @throws IllegalStateException if the statement fails; the message is the node's
   * @throws IOException if the node is gone: whether the statement was done is not known
   */
  public List<String> cql(String statement) throws IOException {
    statements.write(statement.replace('\n', ' ') + "\n");
    statements.flush();
    List<String> rows = new ArrayList<>();
    while (true) {
      String line = answers.readLine();
      if (line == null) {
        throw new IOException("the node is gone");
      } else if (line.equals("OK")) {
        return rows;
      } else if (line.startsWith("ERROR ")) {
        throw new IllegalStateException(line.substring("ERROR ".length()));
      } else {
        rows.add(line.substring("| ".length()));
      }
    }
  }

  /** Calls a public static method in the node: its class, its name, and its arguments. */
  public List<String> call(Class<?> type, String method, String... arguments) throws IOException {
    return cql(line(type, method, arguments));
  }

  /** What {@link NodeMain#call} takes: an argument may have spaces, as paths do. */
  static String line(Class<?> type, String method, String... arguments) {
    StringBuilder line = new StringBuilder("CALL " + type.getName() + " " + method);
    for (String argument : arguments) {
      line.append(' ').append(URLEncoder.encode(argument, StandardCharsets.UTF_8));
    }
    return line.toString();
  }

  /** SIGKILL; returns when the process is gone. */
  public void kill() {
    process.destroyForcibly();
    boolean unused = waitFor(process);
    deleteUnpacked();
  }

  /**
   * SIGTERM: the node stops through its shutdown hook.
   *
   * @throws IllegalStateException if it did not end, and was killed
   */
  public void stop() {
    // Process.destroy() would also end its standard input, and the node with it at once.
    process.toHandle().destroy();
    boolean ended = waitFor(process);
    deleteUnpacked();
    if (!ended) {
      throw new IllegalStateException("the node did not stop and was killed");
    }
  }

  private void deleteUnpacked() {
    if (!process.isAlive()) { // it is if it was not waited for
      UnpackedLibraries.delete(unpacked);
    }
  }

  /** Whether it ended before it was killed. */
  private static boolean waitFor(Process process) {
    try {
      if (process.waitFor(STOP_MINUTES, TimeUnit.MINUTES)) {
        return true;
      }
      process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    return false;
  }

  @Override
  public void close() {
    kill();
  }
}
