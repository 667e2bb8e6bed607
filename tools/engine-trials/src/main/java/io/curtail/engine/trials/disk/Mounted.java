/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import io.curtail.campaign.process.Commands;
import io.curtail.campaign.process.DeadMansSwitch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system that this process mounts. It is unmounted when this is closed, and also when the
 * process ends, even by SIGKILL. Not thread-safe.
 */
final class Mounted implements AutoCloseable {
  private final Path directory;
  private final DeadMansSwitch deadMansSwitch = new DeadMansSwitch();

  /** Before it is mounted on that directory: a kill between the two leaves nothing behind. */
  Mounted(Path directory) throws IOException {
    this.directory = directory;
    deadMansSwitch.add("umount -l " + DeadMansSwitch.quoted(directory));
  }

  /** Unmounts it, as soon as nobody uses it any more. */
  @Override
  public void close() {
    try {
      Commands.failure(List.of("umount", "--lazy", directory.toString()));
    } catch (IOException e) {
      System.err.println("still mounted: " + directory + ": " + e.getMessage());
      return; // it is unmounted when the process ends
    }
    deadMansSwitch.close();
  }
}
