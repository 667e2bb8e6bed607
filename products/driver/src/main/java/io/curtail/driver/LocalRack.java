/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.Collection;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rack (in most clouds the availability zone) that the client says it runs in. Never guessed: a
 * wrong guess would send all traffic across zones. Guarded by the lock of {@link Membership}.
 */
final class LocalRack {
  private static final Logger LOG = LoggerFactory.getLogger(LocalRack.class);

  private final String logPrefix;
  private final String name;
  private boolean warned;

  LocalRack(DriverExecutionProfile profile, String logPrefix) {
    this.logPrefix = logPrefix;
    String configured = profile.getString(WeightedOption.LOCAL_RACK, null);
    this.name = configured == null || configured.isBlank() ? null : configured.trim();
  }

  /** Null if none is set. */
  String name() {
    return name;
  }

  /** Without a local rack all are as good. */
  boolean includes(Node node) {
    return name == null || name.equals(node.getRack());
  }

  /** Warns, once until it is true again, when no live node has this rack: it may be misspelt. */
  void checkAgainst(Collection<Node> liveNodes, String localDatacenter) {
    if (name == null || liveNodes.isEmpty()) {
      return;
    }
    boolean missing = liveNodes.stream().noneMatch(this::includes);
    if (missing && !warned) {
      LOG.warn(
          "[{}] No live node of datacenter {} is in the local rack {} ({}); its live racks are {}. "
              + "All nodes are treated as being in other racks.",
          logPrefix,
          localDatacenter,
          name,
          WeightedOption.LOCAL_RACK.getPath(),
          liveNodes.stream()
              .map(node -> String.valueOf(node.getRack()))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
    warned = missing;
  }
}
