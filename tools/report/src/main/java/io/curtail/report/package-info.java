/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * How Curtail shows what it measured: a self-contained HTML page with charts drawn as SVG, JSON for
 * machines, and tables for the terminal. Knows nothing of Cassandra; the lab and the simulator both
 * use it.
 */
package io.curtail.report;
