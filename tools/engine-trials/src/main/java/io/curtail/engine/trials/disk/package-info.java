/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Small disks that are full, or lose what was not forced to them, and a node on one. */
package io.curtail.engine.trials.disk;
