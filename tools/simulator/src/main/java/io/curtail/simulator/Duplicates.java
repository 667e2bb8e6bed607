/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.simulator;

/**
 * DAS, duplicate-aware scheduling: every read has a copy at one more replica, of strictly lower
 * priority. The copy waits behind all first ones and makes way for them in the middle of its
 * service, which goes on when a slot is free again. When one of the two is answered the other is
 * purged, waiting or in service, by a message. Where services cannot be interrupted, as by threads
 * that read, both hold for the queue only.
 *
 * <p><b>A reconstruction</b>: Bashir, Faisal, Jamshed, Vondras, Iftikhar, Qazi, Dogar, "Reducing
 * Tail Latency via Safe and Simple Duplication", 2019 (arXiv 1905.13352), of which only the
 * abstract was at hand.
 */
record Duplicates(Client client, Copy.IfBusy ifBusy) implements ExtraCopies {
  @Override
  public void onSent(Read read) {
    Server spare = client.replica(read.needed);
    if (spare != null) {
      client.sendUncounted(read, spare).ifBusy = ifBusy;
    }
  }

  @Override
  public void onDone(Read read) {
    for (Copy copy = read.first; copy != null; copy = copy.nextOfRead) {
      if (!copy.answered && !copy.shadow) {
        client.purge(copy);
      }
    }
  }
}
