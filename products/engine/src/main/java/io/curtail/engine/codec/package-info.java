/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Cassandra's keys, clusterings and rows as the bytes of records, and back; may use Cassandra only,
 * neither RocksDB nor another package of the engine.
 */
package io.curtail.engine.codec;
