/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Least expected delay, from what a client sees by itself; for the Java driver. */
package io.curtail.selection.delay;
