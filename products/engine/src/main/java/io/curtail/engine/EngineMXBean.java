/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** The node's RocksDB, for operators. */
public interface EngineMXBean {
  /** The name that the bean has. */
  String NAME = "io.curtail.engine:type=Engine";

  /**
   * Writes a table's buffers to data files of RocksDB.
   *
   * @throws IllegalArgumentException if the table is not stored in RocksDB
   * @throws IOException if RocksDB fails
   */
  void flush(String keyspace, String table) throws IOException;

  /** Merges all data files of a table, as {@link #flush} throws. */
  void compact(String keyspace, String table) throws IOException;

  /**
   * Removes the partitions of a table that this node has no part in any more, as {@code nodetool
   * cleanup} does with Cassandra's data files. May be run again if it fails.
   *
   * @return how many partitions lost rows
   * @throws IllegalArgumentException if the table is not stored in RocksDB
   * @throws IllegalStateException if nodes join, leave or move, or it goes on already
   * @throws IOException if the disk fails
   */
  long cleanup(String keyspace, String table) throws IOException;

  /**
   * The tables with rows in RocksDB that the node's schema does not know, as {@code
   * keyspace/table/id}: of a {@code DROP} that the process did not outlive, or of a lost schema.
   * None while the node starts or joins, as it may hear of a table yet.
   */
  Set<String> getUnknownTables();

  /**
   * Removes the rows of one of {@link #getUnknownTables}.
   *
   * @throws IllegalArgumentException if it is none of them
   * @throws IllegalStateException while the node starts or joins
   * @throws IOException if the disk fails
   */
  void dropUnknown(String table) throws IOException;

  /**
   * Copies a table and its legacy indexes to Cassandra's data files, or what changed since the last
   * copy: {@code ALTER TABLE} to another memtable then writes only what changes from now on. The
   * table stays in RocksDB. A start of the node forgets that there is a copy.
   *
   * @return how many partitions were copied
   * @throws IllegalArgumentException if it is not a table that is stored in RocksDB
   * @throws IllegalStateException if the table is altered, emptied or dropped meanwhile, if too
   *     much of it changes, or it goes on already; may be run again
   * @throws IOException if the disk fails
   */
  long copyOut(String keyspace, String table) throws IOException;

  /**
   * Takes the data files of Cassandra that a table has beside RocksDB, and those of its legacy
   * indexes, into RocksDB. May be run again if it fails: each file goes when all of it is there.
   *
   * @return how many files were taken
   * @throws IllegalArgumentException if it is not a table that is stored in RocksDB
   * @throws IllegalStateException that says what to do if it cannot be now: the table was copied
   *     with {@link #copyOut}, has indexes or views that are not built, is altered, emptied or
   *     dropped meanwhile, the disk has no room, or it goes on already
   * @throws IOException if the disk fails
   */
  long absorb(String keyspace, String table) throws IOException;

  /**
   * Removes what nobody can read any more of a table now, or of a legacy index, {@code
   * TABLE.INDEX}: from that also entries without a row.
   *
   * @return the number of records that were removed or made smaller
   * @throws IllegalArgumentException if the table is not stored in RocksDB
   * @throws IllegalStateException if it is swept already
   * @throws IOException if the disk fails
   */
  long sweep(String keyspace, String table) throws IOException;

  /**
   * Writes the rows of a snapshot to a table, with the timestamps that they had. What the table has
   * stays, and newer deletions win, so truncate it first to have the snapshot and nothing else. May
   * be run again if it fails.
   *
   * @param snapshot its name, or the path of its folder, which may be of another table with the
   *     same columns
   * @return how many writes it took: one for each partition, or for each hundred of its rows
   * @throws IllegalArgumentException if the table is not stored in RocksDB
   * @throws IOException if there is no such snapshot, the table's columns are not those, or the
   *     disk fails
   */
  long restore(String keyspace, String table, String snapshot) throws IOException;

  /**
   * Reads all data files of a table and compares their checksums.
   *
   * @return the bytes that were read
   * @throws IllegalArgumentException if the table is not stored in RocksDB
   * @throws IOException that names the damaged files
   */
  long verify(String keyspace, String table) throws IOException;

  /**
   * Shows what RocksDB has of one partition, deleted and expired cells and all, as {@code
   * sstabledump} does of a data file.
   *
   * @param key of the partition, as {@code nodetool getendpoints} takes it
   * @param most rows and bounds of range deletions to show, at least 1; all are in memory
   * @return JSON
   * @throws IllegalArgumentException if the table is not stored in RocksDB, or has no such keys
   * @throws IOException if RocksDB cannot read
   */
  String dump(String keyspace, String table, String key, int most) throws IOException;

  /**
   * Makes a copy of RocksDB's directory, of hard links where the file system allows, that can be
   * put in its place while the node is down.
   *
   * @param directory absolute; must not be there yet
   * @throws IOException if it cannot be made; nothing of it is left
   */
  void checkpoint(String directory) throws IOException;

  /**
   * Compares now what is followed of a table that is written to RocksDB to be compared.
   *
   * @return how many partitions differ, which the log names
   * @throws IllegalArgumentException if the table has no such memtable
   * @throws IllegalStateException if it is not compared yet, or no more
   */
  long compare(String keyspace, String table);

  /**
   * Compares one partition of such a table, or begins to follow it.
   *
   * @param key of the partition, as the log shows it: parts joined by colons
   * @return {@code SAME}, {@code DIFFERENT}, {@code FOLLOWED} from now on, or {@code NOT_FOLLOWED}
   *     since it is too large
   */
  String comparePartition(String keyspace, String table, String key);

  /** The tables that are compared, and what {@code curtail_engine.compared} says of each. */
  Map<String, Map<String, String>> getCompared();

  /** The tables and indexes that have rows in RocksDB, and what {@code tables} says of each. */
  Map<String, Map<String, String>> getTables();

  /** How far what was asked for is, from 0 to 1, such as {@code cleanup demo.emp}. */
  Map<String, Double> getProgress();

  /** Reads all data of all tables and compares its checksums, as {@link #flush} throws. */
  void verifyChecksums() throws IOException;

  /**
   * Makes all that was written durable now.
   *
   * @throws IOException if the disk fails
   */
  void syncLog() throws IOException;

  /** A property of a table that RocksDB knows, such as {@code rocksdb.levelstats}. */
  String property(String keyspace, String table, String name) throws IOException;

  /** RocksDB's counters since the start, by their names. */
  Map<String, Long> getCounters();

  /** Bytes of the block cache, write buffers and iterators' blocks in use, by name. */
  Map<String, Long> getMemoryBytes();

  /** What the log takes up on the disk. */
  long getLogBytes();

  /** RocksDB iterators that are open. */
  long getOpenIterators();

  /** Whether writes are merged by the C library; else by Java, with a read before each. */
  boolean isMergingNatively();
}
