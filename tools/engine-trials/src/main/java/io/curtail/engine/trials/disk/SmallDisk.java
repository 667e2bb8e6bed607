/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import io.curtail.campaign.process.Commands;
import io.curtail.engine.trials.Directories;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A small file system to fill, with a file on it that takes a part and can give it back. Mounted in
 * memory, which needs root, or a small one that the user has. Not thread-safe.
 */
public final class SmallDisk implements AutoCloseable {
  private static final long MEBIBYTE = 1 << 20;
  private static final int MEBIBYTES = 64;
  private static final int BALLAST_MEBIBYTES = 24;
  private static final int BLOCK_BYTES = 4_096;
  private static final long MOST_BYTES = 1_024 * MEBIBYTE;

  private final Path directory;
  private final Path ballast;
  private final Mounted mounted;

  private SmallDisk(Path directory, Mounted mounted) {
    this.directory = directory;
    ballast = directory.resolve("ballast");
    this.mounted = mounted;
  }

  /**
   * One in memory, of 64 MiB.
   *
   * @throws IllegalStateException if it cannot be mounted; the message says what to do
   */
  public static SmallDisk mount(Path directory) throws IOException {
    return mount(directory, MEBIBYTES).withBallast();
  }

  /** One in memory, of a size, all of it free; as {@link #mount(Path)} throws. */
  public static SmallDisk mount(Path directory, int mebibytes) throws IOException {
    Files.createDirectories(directory);
    String size = "size=" + mebibytes + "m";
    Mounted mounted = new Mounted(directory);
    Optional<String> refusal =
        Commands.failure(
            List.of("mount", "-t", "tmpfs", "-o", size, "curtail", directory.toString()));
    if (refusal.isPresent()) {
      mounted.close();
      throw new IllegalStateException(
          "no small file system can be mounted here, which root may do ("
              + refusal.get()
              + "): mount one of 64 MiB yourself and name it with --disk");
    }
    return new SmallDisk(directory, mounted);
  }

  /** Why none can be mounted here; null if one can. */
  public static String refusal() throws IOException {
    Path directory = Files.createTempDirectory("curtail-disk");
    try {
      mount(directory, 1).close();
      return null;
    } catch (IllegalStateException e) {
      return e.getMessage();
    } finally {
      Files.delete(directory);
    }
  }

  /**
   * A directory on one that the user has, which is deleted at the end.
   *
   * @throws IllegalArgumentException if it has too little room, or is too large to be filled, or
   *     not there
   */
  public static SmallDisk of(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new IllegalArgumentException("--disk: there is no directory " + directory);
    }
    FileStore store = Files.getFileStore(directory);
    if (store.getTotalSpace() > MOST_BYTES) {
      throw new IllegalArgumentException(
          "--disk: the file system of "
              + directory
              + " has "
              + store.getTotalSpace() / MEBIBYTE
              + " MiB, and it will be filled: name one of at most 1024 MiB");
    }
    if (store.getUsableSpace() < MEBIBYTES / 2 * MEBIBYTE) {
      throw new IllegalArgumentException("--disk: " + directory + " has less than 32 MiB free");
    }
    return new SmallDisk(Files.createTempDirectory(directory.toAbsolutePath(), "curtail"), null)
        .withBallast();
  }

  private SmallDisk withBallast() throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] zeros = new byte[(int) MEBIBYTE];
      for (int i = 0; i < BALLAST_MEBIBYTES; i++) {
        out.write(zeros);
      }
    }
    return this;
  }

  /** Takes all that is free, until {@link #makeRoom}. */
  public void fill() throws IOException {
    leave(0);
  }

  /** Takes what is free but for so many bytes, until {@link #makeRoom}. */
  void leave(long bytes) throws IOException {
    try (OutputStream out = Files.newOutputStream(ballast)) {
      byte[] zeros = new byte[(int) MEBIBYTE];
      for (long free = freeBytes(); free > bytes; free = freeBytes()) {
        out.write(zeros, 0, free - bytes > MEBIBYTE ? zeros.length : BLOCK_BYTES);
      }
    } catch (IOException e) {
      if (freeBytes() > 0) {
        throw e;
      }
    }
  }

  public Path directory() {
    return directory;
  }

  long freeBytes() throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  /** Gives back what was taken. */
  public void makeRoom() throws IOException {
    Files.deleteIfExists(ballast);
  }

  @Override
  public void close() throws IOException {
    makeRoom();
    if (mounted != null) {
      mounted.close();
    } else {
      Directories.delete(directory);
    }
  }
}
