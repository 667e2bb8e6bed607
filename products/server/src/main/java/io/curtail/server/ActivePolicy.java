/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.server;

import io.curtail.selection.PolicySettings;
import io.curtail.selection.RankingPolicy;

/**
 * The policy that ranks and the peers as measured for it. A change of the policy or of the rate
 * control makes a new one: the answers to reads that were sent before find no count to change.
 */
final class ActivePolicy {
  private final Peers peers;
  private volatile RankingPolicy ranking;
  private volatile double badnessThreshold;
  private double clients;

  ActivePolicy(Settings settings, Host host) {
    peers = new Peers(host, settings.load, settings::newRateControl);
    badnessThreshold = settings.badnessThreshold;
    clients = clients(settings, host);
    ranking = newRanking(settings);
  }

  private static double clients(Settings settings, Host host) {
    return settings.clients == 0 ? Math.max(1, host.liveCoordinators()) : settings.clients;
  }

  private RankingPolicy newRanking(Settings settings) {
    return settings.policy.newRanking(PolicySettings.builder().clients(clients).build());
  }

  /** Takes what can change without forgetting: the constants, the number of coordinators. */
  void update(Settings settings, Host host, boolean constantsChanged) {
    badnessThreshold = settings.badnessThreshold;
    double now = clients(settings, host);
    if (constantsChanged || now != clients) {
      clients = now;
      ranking = newRanking(settings);
    }
    for (Peer peer : peers.all()) {
      peer.proximity(host.proximity(peer.endpoint));
    }
  }

  Peers peers() {
    return peers;
  }

  RankingPolicy ranking() {
    return ranking;
  }

  double badnessThreshold() {
    return badnessThreshold;
  }

  double clients() {
    return clients;
  }
}
