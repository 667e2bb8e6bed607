/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.protocol.internal.util.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Shows and switches one policy. */
final class PolicyControl implements WeightedLeastLoadedMXBean {
  private final WeightedLeastLoadedPolicy policy;

  PolicyControl(WeightedLeastLoadedPolicy policy) {
    this.policy = policy;
  }

  @Override
  public boolean isEnabled() {
    return policy.isEnabled();
  }

  @Override
  public void setEnabled(boolean enabled) {
    policy.setEnabled(enabled);
  }

  @Override
  public long getFaults() {
    return policy.faults().faults();
  }

  @Override
  public String getLastFault() {
    return policy.faults().lastFault();
  }

  @Override
  public String getLocalDatacenter() {
    return policy.localDatacenter();
  }

  @Override
  public String getLocalRack() {
    return policy.localRack();
  }

  @Override
  public long getPlans() {
    return policy.plans().made();
  }

  @Override
  public int getBacklogLength() {
    ThrottlerBacklog backlog = policy.plans().backlog();
    return backlog == null ? 0 : backlog.size();
  }

  @Override
  public long getBacklogRefused() {
    ThrottlerBacklog backlog = policy.plans().backlog();
    return backlog == null ? 0 : backlog.refused();
  }

  @Override
  public Map<String, Long> getCopies() {
    Hedges hedges = policy.hedges();
    return hedges == null ? Map.of() : hedges.copies.toMap();
  }

  @Override
  public String explain(String keyspace, String routingKey) {
    SimpleStatement request = SimpleStatement.newInstance("");
    if (!keyspace.isEmpty() && !routingKey.isEmpty()) {
      String digits = routingKey.startsWith("0x") ? routingKey : "0x" + routingKey;
      request =
          request
              .setRoutingKeyspace(CqlIdentifier.fromInternal(keyspace))
              .setRoutingKey(Bytes.fromHexString(digits));
    }
    return policy.explain(request);
  }

  @Override
  public void logPlans(int plans) {
    policy.plans().logNext(plans);
  }

  @Override
  public List<WeightedNodeState> getNodes() {
    LocalNodes nodes = policy.localNodes();
    long now = policy.nanoTime();
    List<WeightedNodeState> states = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      states.add(new WeightedNodeState(nodes.get(i), now));
    }
    return states;
  }
}
