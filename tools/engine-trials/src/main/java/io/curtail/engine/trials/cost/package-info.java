/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** What the engine costs beside the stock memtable, side by side in one node. */
package io.curtail.engine.trials.cost;
