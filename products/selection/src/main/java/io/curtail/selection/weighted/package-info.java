/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Weighted least loaded, as the driver and the simulator run it, and what it knows of a replica.
 */
package io.curtail.selection.weighted;
