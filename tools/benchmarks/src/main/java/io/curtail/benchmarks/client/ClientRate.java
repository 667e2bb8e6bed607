/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.client;

/**
 * What one session did in one run.
 *
 * @param policy the name of its policy
 * @param pair which pair of runs this belongs to, from 1
 * @param requestsPerSecond answered
 * @param clientCpuMicros processor time of the client's process for each request
 */
public record ClientRate(
    String policy, int pair, double requestsPerSecond, double clientCpuMicros) {}
