/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Load on a cluster of the lab: sessions of the stock driver bound to zones, an open loop whose
 * latencies count from the intended start, and a closed loop that finds the throughput ceiling.
 */
package io.curtail.lab.load;
