/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.disk;

import io.curtail.campaign.process.Commands;
import io.curtail.campaign.process.Polling;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file system that can lose its power: from one moment on the kernel writes nothing of it any
 * more, neither data nor its journal, and what was not on the disk is gone when it is mounted
 * again. That is {@code EXT4_IOC_SHUTDOWN} without a flush of the journal, as file systems are
 * tested with (xfstests, {@code src/godown}). The disk is a file of the host. Needs root, {@code
 * mkfs.ext4} and Perl. Not thread-safe.
 */
public final class PowerDisk implements AutoCloseable {
  /** Of the host's disk it takes only what is written. */
  private static final long BYTES = 4L << 30;

  private static final String SHUTDOWN =
      "open(my $d, '<', $ARGV[0]) or die $!; my $f = pack('L', 2);"
          + " ioctl($d, 0x8004587D, $f) or die $!";

  private static final String BOOT_MARK = "curtail-boot";
  private static final Duration MOST_BUSY = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Path image;
  private final Path directory;
  private final Mounted mounted;

  private PowerDisk(Path image, Path directory, Mounted mounted) {
    this.image = image;
    this.directory = directory;
    this.mounted = mounted;
  }

  /**
   * A new one, empty, of up to 4 GiB.
   *
   * @param home of its file, and where it is mounted
   * @throws IllegalStateException if it cannot be made; the message says what to do
   */
  public static PowerDisk make(Path home) throws IOException {
    Files.createDirectories(home);
    Path image = home.resolve("disk");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    Path directory = Files.createDirectories(home.resolve("mounted"));
    run(List.of("mkfs.ext4", "-q", "-F", image.toString()));
    run(List.of("perl", "-e", "1"));
    PowerDisk disk = new PowerDisk(image, directory, new Mounted(directory));
    try {
      mount(image, directory);
    } catch (IllegalStateException e) {
      disk.close();
      throw e;
    }
    return disk;
  }

  /** Why none can be had here; null if one can. */
  public static String refusal(Path home) throws IOException {
    try (PowerDisk disk = make(home)) {
      disk.cut();
      disk.restore();
      return null;
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }

  private static void mount(Path image, Path directory) {
    run(List.of("mount", "-t", "ext4", "-o", "loop", image.toString(), directory.toString()));
  }

  private static void run(List<String> command) {
    Optional<String> why;
    try {
      why = Commands.failure(command);
    } catch (IOException e) {
      why = Optional.of(String.valueOf(e.getMessage()));
    }
    if (why.isPresent()) {
      throw new IllegalStateException(
          "no file system can lose its power here, which takes root, mkfs.ext4 and Perl on Linux ("
              + why.get()
              + ")");
    }
  }

  /** Where its files are. */
  public Path directory() {
    return directory;
  }

  /** Nothing is written from now on; whoever tries gets an error. */
  public void cut() {
    run(List.of("perl", "-e", SHUTDOWN, directory.toString()));
  }

  /** What the disk has is there again, as after another start of the machine; nobody uses it. */
  public void restore() throws IOException {
    String[] busy = new String[1];
    Polling.<IOException>await(
        "a disk is unmounted",
        MOST_BUSY,
        POLL,
        () -> {
          busy[0] = Commands.failure(List.of("umount", directory.toString())).orElse(null);
          return busy[0] == null;
        },
        () -> "still in use: " + directory + ": " + busy[0]);
    mount(image, directory);
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path mark : files.filter(file -> file.endsWith(BOOT_MARK)).toList()) {
        markOfAnotherBoot(mark);
      }
    }
  }

  /** By the number of its start the engine knows that a machine lost its power. */
  private static void markOfAnotherBoot(Path mark) throws IOException {
    List<String> words = new ArrayList<>(List.of(Files.readString(mark).split(" ", -1)));
    words.set(0, "another-boot");
    Files.writeString(mark, String.join(" ", words), StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Unmounts it; its file stays. */
  @Override
  public void close() {
    mounted.close();
  }
}
