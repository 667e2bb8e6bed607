/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.cluster;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.curtail.campaign.process.ProcessIdentity;
import io.curtail.lab.network.AddressBlock;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The file {@code lab.json} of a lab's directory: what another process needs to find its nodes,
 * with process ids as of the last start of each.
 */
record LabState(
    String name,
    String cassandraVersion,
    int zones,
    Networking networking,
    boolean raisedPriority,
    AddressBlock addresses,
    int nodeCount,
    int coordinators,
    List<Node> nodes) {

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // a lab that a former version left up can be stopped
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .setVisibility(PropertyAccessor.ALL, JsonAutoDetect.Visibility.NONE)
          .setVisibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY);
  private static final String FILE = "lab.json";

  record Node(int index, ProcessIdentity process) {
    Node {
      if (process == null) {
        throw new IllegalArgumentException("node " + index + " has no process");
      }
    }
  }

  /**
   * @throws IllegalArgumentException if nodes could not be found by it, as in a file of another
   *     kind
   */
  LabState {
    if (networking == null
        || addresses == null
        || zones < 1
        || nodes == null
        || nodes.stream().anyMatch(node -> node.index < 1 || node.index > nodeCount)) {
      throw new IllegalArgumentException("it does not say where its nodes are");
    }
  }

  /** Before any node has been started. */
  static LabState of(ClusterSpec spec, AddressBlock addresses) {
    return new LabState(
        spec.name(),
        spec.cassandraVersion(),
        spec.zones(),
        spec.networking(),
        spec.raisedPriority(),
        addresses,
        spec.allNodes(),
        spec.coordinators(),
        List.of());
  }

  LabState with(List<Node> running) {
    return new LabState(
        name,
        cassandraVersion,
        zones,
        networking,
        raisedPriority,
        addresses,
        nodeCount,
        coordinators,
        running);
  }

  static boolean exists(Path labDirectory) {
    return Files.exists(labDirectory.resolve(FILE));
  }

  static LabState read(Path labDirectory) throws IOException {
    Path file = labDirectory.resolve(FILE);
    try {
      LabState state = JSON.readValue(file.toFile(), LabState.class);
      if (state == null) {
        throw new IOException(file + " tells of no lab");
      }
      return state;
    } catch (JsonProcessingException e) {
      throw new IOException(file + " tells of no lab: " + e.getOriginalMessage(), e);
    }
  }

  /** Whether a node of the lab in this directory is alive. */
  static boolean isRunning(Path labDirectory) {
    try {
      return exists(labDirectory)
          && read(labDirectory).nodes().stream().anyMatch(node -> node.process().isAlive());
    } catch (IOException e) {
      return false;
    }
  }

  /** Replaces the file in one step, so that a reader sees the old or the new one. */
  void write(Path labDirectory) throws IOException {
    Path next = labDirectory.resolve(FILE + ".new");
    JSON.writeValue(next.toFile(), this);
    try {
      Files.move(next, labDirectory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(next, labDirectory.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static void delete(Path labDirectory) throws IOException {
    Files.deleteIfExists(labDirectory.resolve(FILE));
  }
}
