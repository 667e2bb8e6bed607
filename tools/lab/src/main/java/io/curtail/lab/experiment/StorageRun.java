/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.lab.experiment;

import io.curtail.lab.fault.ServedReads;
import io.curtail.simulator.Replay;

/**
 * What storage with a plan served in a run, and the same run in the simulator.
 *
 * @param extraWork reads beyond one for each request, the warm-up's too, as a share of the requests
 * @param simulated null if the simulator has no such arm
 */
public record StorageRun(ServedReads served, double extraWork, Replay simulated) {}
