/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * When and to whom a fault happens in a run. The faults themselves, which know no run, are in
 * {@code io.curtail.lab.fault}.
 */
package io.curtail.lab.disturbance;
