/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The log of writes to tables, in place of RocksDB's own: segments, syncs, replay; may use
 * Cassandra and RocksDB's exception, but no other package of the engine.
 */
package io.curtail.engine.log;
