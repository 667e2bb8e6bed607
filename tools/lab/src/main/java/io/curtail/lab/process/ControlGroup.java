/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A control group of Linux for one process, which goes back to where it was when this is closed or
 * dies.
 */
public final class ControlGroup implements AutoCloseable {
  private static final String MEMBERS = "cgroup.procs";
  private static final int ATTEMPTS = 40;

  private final ProcessIdentity process;
  private final Path parent;
  private final Path group;
  private final DeadMansSwitch deadMansSwitch;

  /**
   * Makes a group, which the process is not in yet.
   *
   * @param parent where the group is made, and where the process goes back to
   */
  public ControlGroup(ProcessIdentity process, Path parent) throws IOException {
    this.process = process;
    this.parent = parent;
    group = parent.resolve("curtail-" + process.pid());
    Files.createDirectory(group);
    deadMansSwitch = new DeadMansSwitch();
    deadMansSwitch.add("echo %d > %s/%s".formatted(process.pid(), parent, MEMBERS));
    deadMansSwitch.add("sleep 0.5; rmdir " + group);
  }

  /**
   * The group that a process is in, from a line such as {@code 3:cpu,cpuacct:/group} (version 1).
   *
   * @param root where the controller's groups are
   */
  public static Path of(long pid, Path root, String controller) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/cgroup"))) {
      String[] fields = line.split(":", 3);
      if (List.of(fields[1].split(",", -1)).contains(controller)) {
        return root.resolve(fields[2].substring(1));
      }
    }
    return root;
  }

  /** Sets a limit of the group. */
  public void set(String file, String value) throws IOException {
    Files.writeString(group.resolve(file), value);
  }

  /** Moves the process into the group. */
  public void enter() throws IOException {
    set(MEMBERS, Long.toString(process.pid()));
  }

  @Override
  public void close() throws IOException {
    if (Files.exists(group) && process.isAlive()) {
      Files.writeString(parent.resolve(MEMBERS), Long.toString(process.pid()));
    }
    for (int attempt = 1; Files.exists(group); attempt++) {
      try {
        Files.delete(group);
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        sleep();
      }
    }
    deadMansSwitch.close();
  }

  /** The kernel lets go of a group a moment after its last process has left. */
  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
