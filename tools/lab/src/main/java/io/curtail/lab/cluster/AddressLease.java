/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import io.curtail.lab.network.AddressBlock;
import io.curtail.testnode.UnusedAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;

/**
 * A block of loopback addresses that no other lab on this machine uses. A lock on a file of the
 * system's temporary directory says so until this process ends; the file names the lab's directory,
 * which says so for a lab that outlives the process that started it; and every port is bound once,
 * in case something else listens there.
 */
record AddressLease(AddressBlock block, Path file, FileChannel channel) implements AutoCloseable {
  private static final int SECOND = 77;
  private static final int FIRST_THIRD = 1;
  private static final int LAST_THIRD = 200;

  /**
   * Files that this process has locked. It must not open them again: when it closes a file, Linux
   * takes away all locks that the process has on it.
   */
  private static final Set<Path> LOCKED = new HashSet<>();

  private static final int LONGEST_PATH_BYTES = 4_096;

  /**
   * @throws IllegalStateException if no block is free
   */
  static AddressLease take(ClusterSpec spec) throws IOException {
    Path locks = Path.of(System.getProperty("java.io.tmpdir"), "curtail-lab-addresses");
    Files.createDirectories(locks);
    makeShared(locks, "rwxrwxrwx");
    for (int third = FIRST_THIRD; third <= LAST_THIRD; third++) {
      AddressLease lease = tryTake(new AddressBlock(SECOND, third), locks, spec);
      if (lease != null) {
        return lease;
      }
    }
    throw new IllegalStateException(
        "no free loopback addresses: every block from 127.%d.%d.0 to 127.%d.%d.0 has a lab or a listener on port %d or %d"
            .formatted(
                SECOND,
                FIRST_THIRD,
                SECOND,
                LAST_THIRD,
                AddressBlock.NATIVE_PORT,
                AddressBlock.STORAGE_PORT));
  }

  private static AddressLease tryTake(AddressBlock block, Path locks, ClusterSpec spec) {
    Path file = locks.resolve(block.label());
    FileChannel channel = null;
    boolean taken = false;
    synchronized (LOCKED) {
      if (!LOCKED.add(file)) {
        return null;
      }
    }
    try {
      channel =
          FileChannel.open(
              file,
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
      FileLock lock = channel.tryLock();
      if (lock == null || heldByRunningLab(channel) || !portsAreFree(block, spec)) {
        return null;
      }
      channel.truncate(0);
      channel.write(
          ByteBuffer.wrap(spec.directory().toString().getBytes(StandardCharsets.UTF_8)), 0);
      makeShared(file, "rw-rw-rw-");
      taken = true;
      return new AddressLease(block, file, channel);
    } catch (IOException e) {
      return null; // another user's
    } finally {
      if (!taken) {
        release(file, channel);
      }
    }
  }

  private static boolean heldByRunningLab(FileChannel file) throws IOException {
    ByteBuffer content = ByteBuffer.allocate(LONGEST_PATH_BYTES);
    file.read(content, 0);
    String directory = StandardCharsets.UTF_8.decode(content.flip()).toString().strip();
    return !directory.isEmpty() && LabState.isRunning(Path.of(directory));
  }

  private static boolean portsAreFree(AddressBlock block, ClusterSpec spec) {
    for (int index = 1; index <= spec.allNodes(); index++) {
      InetAddress address = AddressBlock.parse(block.node(index, spec.zones()));
      if (!UnusedAddress.canBind(address, AddressBlock.NATIVE_PORT)
          || !UnusedAddress.canBind(address, AddressBlock.STORAGE_PORT)) {
        return false;
      }
    }
    return true;
  }

  /** So that labs of several users see each other; best effort on a directory of another user. */
  private static void makeShared(Path path, String permissions) {
    try {
      Files.setPosixFilePermissions(
          path, java.nio.file.attribute.PosixFilePermissions.fromString(permissions));
    } catch (IOException | UnsupportedOperationException e) {
      // it is another user's, who has already shared it
    }
  }

  @Override
  public void close() {
    release(file, channel);
  }

  private static void release(Path file, FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // the lock goes with this process at the latest
    }
    synchronized (LOCKED) {
      LOCKED.remove(file);
    }
  }
}
