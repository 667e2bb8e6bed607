/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.driver;

import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** The adaptive policy where each node has all rows, in the order of their addresses. */
public final class AllReplicasPolicy extends AdaptivePolicy {
  public AllReplicasPolicy(DriverContext context, String profileName) {
    super(context, profileName);
  }

  @Override
  protected Set<Node> getReplicas(Request request, Session session) {
    return context.getMetadataManager().getMetadata().getNodes().values().stream()
        .sorted(Comparator.comparing(node -> node.getEndPoint().toString()))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
