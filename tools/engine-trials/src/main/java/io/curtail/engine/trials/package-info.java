/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Trials of the storage engine on a real node in a child process: random schemas and statements
 * beside the stock memtable, and kills under load. The classes that touch Cassandra run in the
 * child.
 */
package io.curtail.engine.trials;
