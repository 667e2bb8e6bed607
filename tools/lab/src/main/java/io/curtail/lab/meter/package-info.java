/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What a run took of nodes and machine: processor time, reads served, garbage collection. */
package io.curtail.lab.meter;
