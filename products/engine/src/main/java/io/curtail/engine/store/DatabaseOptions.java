/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.store;

import io.curtail.engine.codec.PartitionKeys;
import io.curtail.engine.options.EngineOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.HistogramType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.MergeOperator;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.WALRecoveryMode;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@link EngineOptions} as RocksDB's own objects, which must live as long as the database.
 *
 * <p>Raw option strings are applied first and the options of the engine over them; those on which
 * correctness rests are refused.
 */
public final class DatabaseOptions {
  private static final Logger logger = LoggerFactory.getLogger(DatabaseOptions.class);

  private static final Map<String, CompressionType> COMPRESSIONS =
      Map.of(
          "none", CompressionType.NO_COMPRESSION,
          "snappy", CompressionType.SNAPPY_COMPRESSION,
          "lz4", CompressionType.LZ4_COMPRESSION,
          "zstd", CompressionType.ZSTD_COMPRESSION);

  private static final Map<EngineOptions.Compaction, CompactionStyle> COMPACTIONS =
      Map.of(
          EngineOptions.Compaction.LEVELS, CompactionStyle.LEVEL,
          EngineOptions.Compaction.UNIVERSAL, CompactionStyle.UNIVERSAL);

  /**
   * Runs of a table from which on universal compaction makes fewer of them. With RocksDB's four,
   * two of which are large, each flush would be written again with the last. As many may stay in
   * level 0 for good.
   */
  public static final int UNIVERSAL_RUNS = 6;

  static final String UNIVERSAL_OPTIONS = "compaction_options_universal";

  private static final String UNIVERSAL_TRIGGER = "level0_file_num_compaction_trigger";

  private static final long MOST_BUFFERS = 8;

  /** What decides which data RocksDB opens, keeps and logs, and who may write at once. */
  private static final Set<String> FIXED_OF_DATABASE =
      Set.of(
          "allow_2pc",
          "allow_concurrent_memtable_write",
          "allow_ingest_behind",
          "allow_mmap_writes",
          "atomic_flush",
          "avoid_flush_during_recovery",
          "avoid_flush_during_shutdown",
          "best_efforts_recovery",
          "compaction_verify_record_count",
          "create_if_missing",
          "create_missing_column_families",
          "enable_pipelined_write",
          "env",
          "error_if_exists",
          "fail_if_options_file_error",
          "flush_verify_memtable_count",
          "manual_wal_flush",
          "max_open_files", // a start would not look at each file
          "open_files_async",
          "paranoid_checks",
          "persist_stats_to_disk",
          "recycle_log_file_num",
          "skip_checking_sst_file_sizes_on_db_open",
          "track_and_verify_wals",
          "track_and_verify_wals_in_manifest",
          "two_write_queues",
          "unordered_write",
          "verify_sst_unique_id_in_manifest",
          "wal_compression",
          "wal_dir",
          "wal_filter",
          "wal_recovery_mode",
          "wal_size_limit_mb",
          "wal_ttl_seconds",
          "write_identity_file");

  /** What decides which records there are, in which order, and whether RocksDB drops some. */
  private static final Set<String> FIXED_OF_FAMILY =
      Set.of(
          "block_based_table_factory",
          "compaction_filter",
          "compaction_filter_factory",
          "compaction_options_fifo",
          "compaction_style",
          "comparator",
          "enable_blob_files",
          "force_consistency_checks",
          "inplace_update_support",
          "max_successive_merges",
          "memtable",
          "memtable_factory",
          "merge_operator",
          "persist_user_defined_timestamps",
          "plain_table_factory",
          "prefix_extractor",
          "sst_partitioner_factory",
          "table_factory",
          "ttl");

  /**
   * Where RocksDB would slow writers because compaction is behind, it does so more and more, down
   * to 16 KiB/s, and writes time out. So it does not: compaction catches up when there is time, as
   * with Cassandra's own data files, and until then reads look into more files; when it is far
   * behind nothing throttles it. What still stops writers is write buffers that wait for the disk.
   */
  private static final Map<String, String> NEVER_SLOWED =
      Map.of(
          "level0_slowdown_writes_trigger",
          Integer.toString(Integer.MAX_VALUE),
          "level0_stop_writes_trigger",
          Integer.toString(Integer.MAX_VALUE),
          "soft_pending_compaction_bytes_limit",
          "0",
          "hard_pending_compaction_bytes_limit",
          "0");

  /**
   * Of the text in which RocksDB says what it does, some kilobytes for each flush and compaction
   * and, each ten minutes, for each table: it would grow for as long as the node runs, and a
   * thousand of before be kept. Unless the operator says otherwise.
   */
  private static final Map<String, String> INFO_LOG =
      Map.of("max_log_file_size", Integer.toString(32 << 20), "keep_log_file_num", "10");

  /** Of a node. */
  private static final int MOST_TABLES = 1_000;

  private static final int LEAST_UNIVERSAL_JOBS = 4;
  private static final int ARENA_BLOCK_BYTES = 64 << 10;

  final DBOptions database;

  /** Counters only: histograms would look at the clock several times in each read. */
  public final Statistics statistics = new Statistics(EnumSet.allOf(HistogramType.class));

  final HyperClockCache blockCache;

  /** Gives of the block cache; null if its size cannot be changed. */
  final CacheShare cacheShare;

  /** Of the files of all column families; null if they have none. */
  private final BloomFilter bloomFilter;

  final WriteBufferManager writeBuffers;
  final BackgroundErrors backgroundErrors;
  final Flushes flushes = new Flushes();

  /** What compactions may read. */
  public final CompactionThrottle compactionThrottle;

  /** What compactions may take of the disk. */
  public final CompactionRoom compactionRoom;

  /** Reads of one key. */
  final ReadOptions reading = reading();

  /** Iterators that stay within the fixed prefix of a partition. */
  final ReadOptions readingOnePartition = reading().setPrefixSameAsStart(true);

  /**
   * The same of who reads a table through, kept from one partition to the next. Behind its last
   * record such an iterator looks at one more, not at all that was deleted there.
   */
  final ReadOptions readingThrough = readingThrough().setPrefixSameAsStart(true);

  /**
   * Without RocksDB's log, and whether or not a column family is there: it goes missing when its
   * table is dropped, and the write to it may go too. It fails where it would have to wait, which
   * is for {@link StalledWrites}.
   */
  final WriteOptions writing =
      new WriteOptions()
          .setDisableWAL(true)
          .setIgnoreMissingColumnFamilies(true)
          .setNoSlowdown(true);

  /** Of several records: the search for a record's place begins at that of the one before it. */
  final WriteOptions writingSeveral = new WriteOptions(writing).setMemtableInsertHintPerBatch(true);

  private final EngineOptions options;
  private final NativeCalls nativeCalls;
  private final MergeOperator mergeOperator;

  /**
   * @param directory of the database, as errors name it
   * @param libraries where native libraries were put
   * @param failures told what fails in RocksDB's own threads
   */
  public DatabaseOptions(
      EngineOptions options,
      String directory,
      Path libraries,
      NativeCalls.Loader loader,
      Consumer<Throwable> failures) {
    this.options = options;
    nativeCalls = load(options.merge, libraries, loader);
    mergeOperator = nativeCalls == null ? new StringAppendOperator("") : nativeCalls;
    countOnly();
    HyperClockCache whole = blockCache(options.blockCacheBytes);
    if (nativeCalls != null && nativeCalls.setCapacity(whole, options.blockCacheBytes)) {
      blockCache = whole;
      cacheShare =
          new CacheShare(whole, nativeCalls, options.blockCacheBytes, options.writeBuffersBytes);
    } else {
      whole.close();
      blockCache = blockCache(options.blockCacheBytes - options.recordCacheBytes);
      cacheShare = null;
    }
    bloomFilter = options.bloomBits > 0 ? new BloomFilter(options.bloomBits, false) : null;
    writeBuffers = new WriteBufferManager(options.writeBuffersBytes, blockCache);
    backgroundErrors = new BackgroundErrors(directory, failures);
    compactionRoom =
        new CompactionRoom(directory, statistics, backgroundErrors::areCompactionsStopped);
    compactionThrottle =
        new CompactionThrottle(
            options.compactionThroughputBytesPerSecond, backgroundErrors::isStopped);
    backgroundErrors.tell(compactionThrottle::limit, compactionRoom::recovered);
    if (options.followsCompactionThroughput) {
      compactionThrottle.set(DatabaseDescriptor.getCompactionThroughputBytesPerSec());
    }
    database =
        raw(options.databaseOptions)
            .setCreateIfMissing(true)
            .setStatistics(statistics)
            .setWriteBufferManager(writeBuffers)
            .setMaxBackgroundJobs(backgroundJobs())
            .setListeners(List.of(backgroundErrors, flushes))
            .setSstFileManager(compactionRoom.files)
            .setParanoidChecks(true)
            .setAllow2pc(false)
            .setManualWalFlush(false)
            // The engine's log has what is not flushed; a flush could be ahead of it.
            .setAvoidFlushDuringShutdown(true)
            .setEnablePipelinedWrite(false)
            .setAllowConcurrentMemtableWrite(true)
            // Writers would wait for each other: a group of them ends when the last has run, and
            // only then the next begins. Isolation has what it leaves to its user.
            .setUnorderedWrite(true)
            // A torn tail is what a crash leaves; damage before it must not pass for one.
            .setWalRecoveryMode(WALRecoveryMode.TolerateCorruptedTailRecords)
            .setRateLimiter(compactionThrottle.limiter);
  }

  /**
   * A universal compaction that takes in the oldest run takes hours in a large table. With fewer
   * than four jobs RocksDB does one compaction at a time, and it would hold up all others. (Its
   * pool for those counts as well, and keeps what they reserve of the disk for ever.)
   */
  private int backgroundJobs() {
    return Math.max(isUniversal() ? LEAST_UNIVERSAL_JOBS : 1, options.compactionThreads);
  }

  /** Whether runs of like size become one. */
  public boolean isUniversal() {
    return options.compaction == EngineOptions.Compaction.UNIVERSAL;
  }

  /** Whether compactions merge by the room of the disk: not where the operator says how. */
  boolean areMergesByRoom() {
    return isUniversal()
        && options.columnFamilyOptions.keySet().stream()
            .noneMatch(
                name -> name.startsWith(UNIVERSAL_OPTIONS) || name.equals(UNIVERSAL_TRIGGER));
  }

  /** Some histograms are kept whether or not they are left out. */
  private void countOnly() {
    if (nativeCalls != null) {
      try (Options measured = new Options().setStatistics(statistics)) {
        nativeCalls.countOnly(measured);
      }
    }
  }

  /** Of all reads: RocksDB's deletions of ranges are not looked for, as the engine writes none. */
  @SuppressWarnings("deprecation") // a release that is without it needs it no more
  private static ReadOptions reading() {
    return new ReadOptions().setIgnoreRangeDeletions(true);
  }

  /** For an iterator over many partitions; the caller closes them. */
  public static ReadOptions readingInOrder() {
    return reading().setTotalOrderSeek(true);
  }

  /**
   * The same of who reads a table through, once: the block cache keeps what clients read. Blocks of
   * indexes are not kept either, and filters are not asked, which would be read each time: so an
   * iterator should serve many partitions.
   */
  public static ReadOptions readingThrough() {
    return readingInOrder().setFillCache(false);
  }

  /** One without locks, unlike an LRU cache; RocksDB chooses sizes and shards. */
  private static HyperClockCache blockCache(long bytes) {
    return new HyperClockCache(bytes, 0, -1, false);
  }

  /**
   * The C library; null for Java, which reconciles fragments written one after another when it
   * reads them. Both know the same bytes, so a node may change from one to the other.
   */
  private static NativeCalls load(
      EngineOptions.MergeMode mode, Path libraries, NativeCalls.Loader loader) {
    if (mode != EngineOptions.MergeMode.JAVA) {
      try {
        return loader.load(libraries);
      } catch (IOException | LinkageError e) {
        if (mode == EngineOptions.MergeMode.NATIVE) {
          throw new ConfigurationException(
              "rocksdb memtable: merge is native but the C library does not load: "
                  + e.getMessage()
                  + "; use merge: auto to go on with Java",
              e);
        }
        logger.warn(
            "The C library does not load, writes are merged in Java, with a read before each: {}",
            e.toString());
      }
    }
    return null;
  }

  private static void refuse(String parameter, Map<String, String> given, Set<String> names) {
    for (String name : given.keySet()) {
      if (names.contains(name.toLowerCase(Locale.ROOT))) {
        throw new ConfigurationException(
            "rocksdb memtable: "
                + parameter
                + " sets "
                + name
                + ", on which the safety of the rows rests: remove it",
            false);
      }
    }
  }

  private static DBOptions raw(Map<String, String> given) {
    refuse("db_options", given, FIXED_OF_DATABASE);
    Properties properties = new Properties();
    properties.putAll(INFO_LOG);
    properties.putAll(given);
    properties.put("track_and_verify_wals_in_manifest", "true");
    DBOptions parsed = DBOptions.getDBOptionsFromProps(properties);
    if (parsed == null) {
      throw new ConfigurationException(
          "rocksdb memtable: RocksDB does not understand db_options " + given, false);
    }
    return parsed;
  }

  /** The options of a column family of this name; the caller closes them. */
  public ColumnFamilyOptions familyOptions(String name) {
    ColumnFamilyOptions family = rawFamily(options.columnFamilyOptions);
    BlockBasedTableConfig table =
        new BlockBasedTableConfig()
            .setBlockCache(blockCache)
            .setBlockSize(options.blockBytes)
            .setChecksumType(ChecksumType.kXXH3)
            .setFormatVersion(5)
            .setCacheIndexAndFilterBlocks(true)
            .setPinL0FilterAndIndexBlocksInCache(true)
            .setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash)
            .setWholeKeyFiltering(true);
    if (bloomFilter != null) {
      table.setFilterPolicy(bloomFilter);
    }
    family
        .setTableFormatConfig(table)
        .setCompressionType(COMPRESSIONS.get(options.compression))
        .setWriteBufferSize(options.writeBufferBytes / options.writeBufferParts())
        .setCompactionStyle(COMPACTIONS.get(options.compaction))
        .setLevelCompactionDynamicLevelBytes(true)
        .setMergeOperator(mergeOperator);
    int prefix = fixedPrefixLength(name);
    if (prefix > 0) {
      family
          .useFixedLengthPrefixExtractor(prefix)
          .setMemtablePrefixBloomSizeRatio(memtableFilterRatio())
          .setMemtableWholeKeyFiltering(true);
    }
    return family;
  }

  /**
   * The filter of a memtable is there from the start, for a table that is not written too. Half of
   * all memory for memtables is that of a thousand tables, beyond which each write is a flush.
   */
  private double memtableFilterRatio() {
    double most = options.writeBuffersBytes / (2.0 * MOST_TABLES);
    return Math.min(0.02, most * options.writeBufferParts() / options.writeBufferBytes);
  }

  /** Of the keys of a table; none where tokens differ in length, as in those of indexes. */
  private static int fixedPrefixLength(String name) {
    boolean isOfTable = !name.equals(Families.DEFAULT) && !FamilyName.parse(name).isIndex();
    return isOfTable ? PartitionKeys.TOKEN_BYTES : 0;
  }

  private ColumnFamilyOptions rawFamily(Map<String, String> given) {
    refuse("cf_options", given, FIXED_OF_FAMILY);
    Properties properties = new Properties();
    properties.putAll(NEVER_SLOWED);
    // As many as all tables together may have, at least RocksDB's two.
    long buffers = Math.max(2, options.writeBuffersBytes / options.writeBufferBytes);
    int parts = options.writeBufferParts();
    long most = Math.min(buffers, MOST_BUFFERS) * parts;
    properties.put("max_write_buffer_number", Long.toString(most));
    properties.put("min_write_buffer_number_to_merge", Integer.toString(parts));
    // An eighth of a write buffer, as it would be, is taken by a table without a row.
    properties.put("arena_block_size", Long.toString(ARENA_BLOCK_BYTES));
    if (isUniversal()) {
      properties.put(UNIVERSAL_TRIGGER, Integer.toString(UNIVERSAL_RUNS));
      properties.put(UNIVERSAL_OPTIONS, MergeLimits.USUAL.options());
      // Else RocksDB writes the whole of each table anew every thirty days.
      properties.put("ttl", "0");
      properties.put("periodic_compaction_seconds", "0");
    }
    properties.putAll(given);
    ColumnFamilyOptions parsed = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties);
    if (parsed == null) {
      throw new ConfigurationException(
          "rocksdb memtable: RocksDB does not understand cf_options " + given, false);
    }
    return parsed;
  }

  /** The C library; null if Java does what it would. */
  public NativeCalls nativeCalls() {
    return nativeCalls;
  }

  boolean isMergingNatively() {
    return nativeCalls != null;
  }
}
