// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.event.EventListener;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of a database. Immutable; {@link #builder} makes them and checks each value.
 *
 * <p>Longer than 400 lines because it is one thing: each option is described, set and checked here,
 * and nowhere else.
 */
public final class DatabaseOptions {
  /** Never changed after construction. */
  private final Builder values;

  private DatabaseOptions(Builder values) {
    this.values = values;
  }

  /** {@return options with all defaults} */
  public static DatabaseOptions defaults() {
    return builder().build();
  }

  /** {@return a builder with all defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads options from a file of lines such as {@code memoryBytes=256 MiB}: the names of the
   * builder's methods, those of {@link MemStorePolicy}'s components after {@code memStorePolicy.},
   * numbers of bytes with or without a unit KiB, MiB or GiB, and durations as {@link Duration}
   * prints them. Options that are missing have their defaults.
   *
   * @param file the file to read
   * @return the options
   * @throws IllegalArgumentException if an option is unknown, occurs twice, or has a value that is
   *     not allowed; the message names the file, the line and the option
   * @throws IOException if the file cannot be read
   */
  public static DatabaseOptions load(Path file) throws IOException {
    return OptionsFile.load(Objects.requireNonNull(file, "file"));
  }

  /**
   * Writes the options to a file for {@link #load}, except keys, merge operators, compaction
   * filters, clock, listeners and experiment, which are code. An existing file is replaced.
   *
   * @param file the file to write; replaced if it exists
   * @throws IOException if the storage fails
   */
  public void save(Path file) throws IOException {
    OptionsFile.save(this, Objects.requireNonNull(file, "file"));
  }

  /** {@return a builder with these options} */
  public Builder toBuilder() {
    return values.copy();
  }

  /** {@return whether a database is created in an empty or absent folder} */
  public boolean createIfMissing() {
    return values.createIfMissing;
  }

  /** {@return the budget of all memory stores together, in bytes outside the heap} */
  public long memoryBytes() {
    return values.memoryBytes;
  }

  /** {@return the memory at which a single store is flushed; 0 for its share of the budget} */
  public long storeFlushBytes() {
    return values.storeFlushBytes;
  }

  /** {@return the budget of the block cache, most of it outside the heap; 0 for no cache} */
  public long blockCacheBytes() {
    return values.blockCacheBytes;
  }

  /** {@return the durability of writes that name none} */
  public Durability durability() {
    return values.durability;
  }

  /** {@return the merge operators by name, without the built-in ones} */
  public Map<String, MergeOperator> mergeOperators() {
    return values.mergeOperators;
  }

  /** {@return the compaction filters by name} */
  public Map<String, CompactionFilter> compactionFilters() {
    return values.compactionFilters;
  }

  /** {@return the policy of families that name none} */
  public MemStorePolicy memStorePolicy() {
    return values.memStorePolicy;
  }

  /** {@return the size of the log above which the stores that need its oldest part are flushed} */
  public long logBytesMax() {
    return values.logBytesMax;
  }

  /** {@return how long log files are kept for change feeds; zero if they are not kept} */
  public Duration logRetention() {
    return values.logRetention;
  }

  /** {@return how many bytes of log files are kept for change feeds at most} */
  public long logRetentionBytesMax() {
    return values.logRetentionBytesMax;
  }

  /** {@return the size at which the log continues in a new file} */
  public long logFileBytes() {
    return values.logFileBytes;
  }

  /** {@return how long writes of {@link Durability#ASYNC} may wait in memory} */
  public Duration asyncLogDelay() {
    return values.asyncLogDelay;
  }

  /** {@return the number of threads that flush} */
  public int flushThreads() {
    return values.flushThreads;
  }

  /** {@return the number of threads that compact} */
  public int compactionThreads() {
    return values.compactionThreads;
  }

  /** {@return the length of the longest row or key that may be written, in bytes} */
  public int rowBytesMax() {
    return values.rowBytesMax;
  }

  /** {@return the length of the largest value that may be written, in bytes} */
  public int valueBytesMax() {
    return values.valueBytesMax;
  }

  /** {@return the size of the largest batch that may be written, in bytes of the log} */
  public int batchBytesMax() {
    return values.batchBytesMax > 0
        ? values.batchBytesMax
        : (int) Math.min(64 * Builder.MIB, values.memoryBytes / 4 * 3);
  }

  /** {@return how long a write waits for flushes and compactions before it fails} */
  public Duration stallMax() {
    return values.stallMax;
  }

  /** {@return the provider of the keys under which files are encrypted; empty if they are not} */
  public Optional<KeyProvider> encryption() {
    return Optional.ofNullable(values.encryption);
  }

  /** {@return the clock, which gives timestamps and ends times to live} */
  public InstantSource clock() {
    return values.clock;
  }

  /** {@return how a database opens if its log is incomplete or damaged} */
  public RecoveryMode recoveryMode() {
    return values.recoveryMode;
  }

  /** {@return the listener to which the opening thread reports the progress of a replay} */
  public Consumer<RecoveryProgress> recoveryListener() {
    return values.recoveryListener;
  }

  /** {@return the settings for experiments} */
  public Experiment experiment() {
    return values.experiment;
  }

  /** {@return how each batch in the log is compressed: NONE or LZ4} */
  public Compression logCompression() {
    return values.logCompression;
  }

  /** {@return how the log reaches the operating system} */
  public LogWriting logWriting() {
    return values.logWriting;
  }

  /** {@return how blocks of sorted tables are read, see {@link FileReading}} */
  public FileReading fileReading() {
    return values.fileReading;
  }

  /** {@return how many bytes all compactions together read in a second at most; 0 for no limit} */
  public long compactionBytesPerSecond() {
    return values.compactionBytesPerSecond;
  }

  /**
   * {@return whether sorted tables are merged when little is written, so that reads search fewer}
   */
  public boolean compactWhenIdle() {
    return values.compactWhenIdle;
  }

  /**
   * {@return how many bytes of a store's sorted tables may wait for a compaction before writers are
   * stopped}
   */
  public long compactionDebtBytesMax() {
    return values.compactionDebtBytesMax;
  }

  /** {@return the size of sorted tables of leveled families} */
  public long levelFileBytes() {
    return values.levelFileBytes;
  }

  /** {@return the size of one family's files above which a region is split} */
  public long regionSplitBytes() {
    return values.regionSplitBytes;
  }

  /** {@return the size of two neighbours below which they are merged; 0 for never} */
  public long regionMergeBytes() {
    return values.regionMergeBytes;
  }

  /**
   * {@return how many sorted tables are open at a time; 0 for a quarter of the files that the
   * process may open}
   */
  public int openFilesMax() {
    return values.openFilesMax;
  }

  /** {@return the listeners for events of the database} */
  public List<EventListener> eventListeners() {
    return values.eventListeners;
  }

  /** {@return how long an operation may take before it is logged; zero to log none} */
  public Duration slowOperation() {
    return values.slowOperation;
  }

  /** {@return how the database looks for objects that are never closed} */
  public LeakDetection leakDetection() {
    return values.leakDetection;
  }

  /** {@return whether the statistics are published by JMX} */
  public boolean jmx() {
    return values.jmx;
  }

  /** {@return whether the database is opened read-only} */
  public boolean readOnly() {
    return values.readOnly;
  }

  /** Builds {@link DatabaseOptions}. Not thread-safe. */
  public static final class Builder implements Cloneable {
    private static final long MIB = 1 << 20;
    private static final long LOG_RETENTION_MILLIS_MAX = Duration.ofDays(3650).toMillis();

    private boolean createIfMissing = true;
    private long memoryBytes = Math.min(512 * MIB, Runtime.getRuntime().maxMemory() / 4);
    private long storeFlushBytes;
    private long blockCacheBytes = Math.min(256 * MIB, Runtime.getRuntime().maxMemory() / 8);
    private Durability durability = Durability.SYNC;
    private MemStorePolicy memStorePolicy = MemStorePolicy.DEFAULT;
    private long logBytesMax = 1024 * MIB;
    private Duration logRetention = Duration.ZERO;
    private long logRetentionBytesMax = Long.MAX_VALUE;
    private long logFileBytes = 64 * MIB;
    private Duration asyncLogDelay = Duration.ofMillis(10);
    private int flushThreads = 1;
    private int compactionThreads = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);
    private int rowBytesMax = KeyValueLayout.ROW_BYTES_MAX;
    private int valueBytesMax = (int) (10 * MIB);

    /** 0 for the default, which depends on {@link #memoryBytes}. */
    private int batchBytesMax;

    private Duration stallMax = Duration.ofMinutes(1);
    private @Nullable KeyProvider encryption;
    private InstantSource clock = InstantSource.system();
    private Experiment experiment = Experiment.NONE;
    private RecoveryMode recoveryMode = RecoveryMode.TOLERATE_TORN_TAIL;
    private Consumer<RecoveryProgress> recoveryListener = progress -> {};
    private Compression logCompression = Compression.NONE;
    private LogWriting logWriting = LogWriting.MAPPED;
    private FileReading fileReading = FileReading.PLAIN;
    private long compactionBytesPerSecond;
    private boolean compactWhenIdle = true;
    private long compactionDebtBytesMax = 128L << 30;
    private long levelFileBytes = 32 * MIB;
    private long regionSplitBytes = 10_240 * MIB;
    private long regionMergeBytes;
    private int openFilesMax;
    private boolean readOnly;
    private List<EventListener> eventListeners = List.of();
    private Duration slowOperation = Duration.ZERO;
    private LeakDetection leakDetection = LeakDetection.SAMPLED;
    private boolean jmx;
    private Map<String, MergeOperator> mergeOperators = Map.of();
    private Map<String, CompactionFilter> compactionFilters = Map.of();

    private Builder() {}

    /**
     * Sets whether a database is created in an empty or absent folder; true by default.
     *
     * @param create whether the database is created
     * @return this builder
     */
    public Builder createIfMissing(boolean create) {
      createIfMissing = create;
      return this;
    }

    /**
     * Sets the budget of all memory stores together, in bytes; by default a quarter of the heap's
     * maximum, at most 512 MiB. From 1 MiB to 200 GiB. This memory is direct memory, beside the
     * heap: together with {@link #blockCacheBytes} it must fit into {@code
     * -XX:MaxDirectMemorySize}, which is as large as the heap's maximum unless it is set.
     *
     * <p>Opening the database fails if the process cannot have that much memory: with the default
     * layout, if the budget is larger than direct memory and does not fit into the heap either. If
     * direct memory runs out later, because other parts of the process use it, the database lowers
     * its budget to what it has obtained and an eighth of the heap, and flushes earlier.
     *
     * @param bytes the budget in bytes, 1 MiB to 200 GiB
     * @return this builder
     */
    public Builder memoryBytes(long bytes) {
      memoryBytes = checked("memory", bytes, MIB, ChunkPool.CAP_BYTES_MAX);
      return this;
    }

    /**
     * Sets the memory at which a single store is flushed; 0, the default, for its share of the
     * budget.
     *
     * @param bytes the size in bytes, 0 or more
     * @return this builder
     */
    public Builder storeFlushBytes(long bytes) {
      storeFlushBytes = checked("store flush size", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the budget of the block cache, in bytes: blocks in direct memory, and indices, filters
     * and single columns on the heap. By default an eighth of the heap's maximum, at most 256 MiB.
     *
     * @param bytes the budget in bytes; 0 for no cache
     * @return this builder
     */
    public Builder blockCacheBytes(long bytes) {
      blockCacheBytes = checked("block cache", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the durability of writes that name none; {@link Durability#SYNC} by default.
     *
     * @param durability the durability of writes that name none
     * @return this builder
     */
    public Builder durability(Durability durability) {
      this.durability = Objects.requireNonNull(durability, "durability");
      return this;
    }

    /**
     * Sets the memory store's policy of families that name none; ADAPTIVE by default.
     *
     * @param policy the policy of families that name none
     * @return this builder
     */
    public Builder memStorePolicy(MemStorePolicy policy) {
      memStorePolicy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /**
     * Sets the size of the log above which the stores that need its oldest part are flushed; 1 GiB
     * by default.
     *
     * @param bytes the size in bytes, at least 64 KiB
     * @return this builder
     */
    public Builder logBytesMax(long bytes) {
      logBytesMax = checked("log limit", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets how long log files that nothing else needs are kept for {@link Database#changes}; 0 to
     * 10 years. By default they are not kept, and feeds reach back only as far as the database
     * needs its log.
     *
     * @param duration the duration, 0 to 10 years
     * @return this builder
     */
    public Builder logRetention(Duration duration) {
      logRetention =
          Duration.ofMillis(
              checked("log retention in ms", millisOf(duration), 0, LOG_RETENTION_MILLIS_MAX));
      return this;
    }

    /**
     * Sets how many bytes of such log files are kept at most; without a limit by default.
     *
     * @param bytes the number of bytes, 0 or more
     * @return this builder
     */
    public Builder logRetentionBytesMax(long bytes) {
      logRetentionBytesMax = checked("kept log limit", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the size at which the log continues in a new file; 64 MiB by default.
     *
     * @param bytes the size in bytes, 4 KiB to 1 TiB
     * @return this builder
     */
    public Builder logFileBytes(long bytes) {
      logFileBytes = checked("log file size", bytes, 4 << 10, 1L << 40);
      return this;
    }

    /**
     * Sets how long writes of {@link Durability#ASYNC} may wait in memory; 10 ms by default.
     *
     * @param delay the delay, 1 ms to 1 minute
     * @return this builder
     */
    public Builder asyncLogDelay(Duration delay) {
      asyncLogDelay = Duration.ofMillis(checked("log delay in ms", millisOf(delay), 1, 60_000));
      return this;
    }

    /**
     * Sets the number of threads that flush; 1 by default.
     *
     * @param threads the number of threads, 1 to 64
     * @return this builder
     */
    public Builder flushThreads(int threads) {
      flushThreads = (int) checked("flush threads", threads, 1, 64);
      return this;
    }

    /**
     * Sets the number of threads that compact; a quarter of the processors, at least 1, by default.
     *
     * @param threads the number of threads, 1 to 64
     * @return this builder
     */
    public Builder compactionThreads(int threads) {
      compactionThreads = (int) checked("compaction threads", threads, 1, 64);
      return this;
    }

    /**
     * Sets the length of the longest row or key that may be written; 32,767 bytes, which is also
     * the maximum, by default.
     *
     * @param bytes the length in bytes, 1 to 32,767
     * @return this builder
     */
    public Builder rowBytesMax(int bytes) {
      rowBytesMax = (int) checked("row limit", bytes, 1, KeyValueLayout.ROW_BYTES_MAX);
      return this;
    }

    /**
     * Sets the length of the largest value that may be written; 10 MiB by default, at most 128 MiB.
     *
     * @param bytes the length in bytes, 1 to 128 MiB
     * @return this builder
     */
    public Builder valueBytesMax(int bytes) {
      valueBytesMax = (int) checked("value limit", bytes, 1, 128 * MIB);
      return this;
    }

    /**
     * Sets the size of the largest batch or transaction that may be written; at most 192 MiB, and
     * by default 64 MiB or three quarters of the memory if that is less. A batch must fit into
     * memory: {@link #build} refuses a limit that is not below {@link #memoryBytes}. A larger batch
     * is refused at once.
     *
     * @param bytes the size in bytes, 1 KiB to 192 MiB
     * @return this builder
     */
    public Builder batchBytesMax(int bytes) {
      batchBytesMax = (int) checked("batch limit", bytes, 1 << 10, 192 * MIB);
      return this;
    }

    /**
     * Sets how long a write waits for flushes and compactions before it fails with a {@link
     * WriteStalledException}; a minute by default.
     *
     * @param limit the longest wait, 0 to 24 hours
     * @return this builder
     */
    public Builder stallMax(Duration limit) {
      stallMax = Duration.ofMillis(checked("stall limit in ms", millisOf(limit), 0, 86_400_000));
      return this;
    }

    /**
     * Encrypts files at rest by AES-GCM, under the keys of a provider; by default files are plain.
     * An existing database is encrypted as its files are rewritten: new files are encrypted from
     * now on, and {@link Database#majorCompact} rewrites the others. The same applies to a new
     * current key. Use {@link KeyProviders#withoutCurrent} to go back to plain files.
     *
     * <p>Names and lengths of files, and the file LOCK, are not encrypted. Encrypted log files are
     * never mapped; see {@link LogWriting#PLAIN}. The output of {@code export} is plain. A database
     * with encrypted files cannot be opened without their keys.
     *
     * @param keys the provider of the keys
     * @return this builder
     */
    public Builder encryption(KeyProvider keys) {
      encryption = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Sets the clock, which gives timestamps and ends times to live; the system's clock by default.
     * The clock may be wrong for a while:
     *
     * <ul>
     *   <li>If it goes back, writes keep the highest timestamp given so far, so no write is hidden
     *       by an earlier one. Reads use the clock as it is.
     *   <li>If it jumps more than an hour ahead of the elapsed time, expired cells are not dropped
     *       from memory or files until the clock has been ahead for an hour. Reads do not see these
     *       cells in the meantime; when the clock is right, they see them again. The same applies
     *       after a restart if the last write is more than an hour old.
     *   <li>If it jumps more than 30 days ahead while the database is open, reads and writes use
     *       the elapsed time instead, until the clock has been ahead for an hour.
     * </ul>
     *
     * Writes made while the database trusts a clock that is ahead have the time of that clock, and
     * later writes get no earlier time until the database is opened after the last such cell has
     * been dropped.
     *
     * @param clock supplies the present time
     * @return this builder
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    /**
     * Sets an option by the name and the text that it has in a file; see {@link #load}.
     *
     * @param name the name, such as {@code memoryBytes}
     * @param value the value as text, such as {@code 256 MiB}
     * @return this builder
     * @throws IllegalArgumentException if there is no such option, or it cannot have the value; the
     *     message names the option
     */
    public Builder set(String name, String value) {
      OptionsFile.set(this, name, value);
      return this;
    }

    Builder changePolicy(UnaryOperator<MemStorePolicy> change) {
      return memStorePolicy(change.apply(memStorePolicy));
    }

    /**
     * Changes the settings for experiments; see {@link Experiment}.
     *
     * @param change receives the present settings and returns the new ones
     * @return this builder
     */
    public Builder experiment(UnaryOperator<Experiment> change) {
      experiment =
          Objects.requireNonNull(
              Objects.requireNonNull(change, "change").apply(experiment), "experiment");
      return this;
    }

    /**
     * Sets how the database opens if its log is incomplete or damaged; {@link
     * RecoveryMode#TOLERATE_TORN_TAIL} by default.
     *
     * @param mode what to accept in the log
     * @return this builder
     */
    public Builder recoveryMode(RecoveryMode mode) {
      recoveryMode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /**
     * Sets a listener to which the opening thread reports the progress of the replay of the log.
     *
     * @param listener receives the progress
     * @return this builder
     */
    public Builder recoveryListener(Consumer<RecoveryProgress> listener) {
      recoveryListener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Sets how each batch in the log is compressed: NONE, the default, or LZ4.
     *
     * @param compression {@link Compression#NONE} or {@link Compression#LZ4}
     * @return this builder
     */
    public Builder logCompression(Compression compression) {
      if (compression == Compression.ZSTD) {
        throw new IllegalArgumentException("log compression is ZSTD, expected NONE or LZ4");
      }
      logCompression = Objects.requireNonNull(compression, "compression");
      return this;
    }

    /**
     * Sets how the log reaches the operating system; {@link LogWriting#MAPPED} by default.
     *
     * @param writing how the log is written
     * @return this builder
     */
    public Builder logWriting(LogWriting writing) {
      logWriting = Objects.requireNonNull(writing, "writing");
      return this;
    }

    /**
     * Sets how blocks of sorted tables are read; {@link FileReading#PLAIN} by default.
     *
     * @param reading how blocks are read
     * @return this builder
     */
    public Builder fileReading(FileReading reading) {
      fileReading = Objects.requireNonNull(reading, "reading");
      return this;
    }

    /**
     * Sets how many bytes of cells all compactions together read in a second at most; 0, the
     * default, for no limit. The limit does not apply to a store whose files pile up.
     *
     * @param bytes the number of bytes a second; 0 for no limit
     * @return this builder
     */
    public Builder compactionBytesPerSecond(long bytes) {
      compactionBytesPerSecond = checked("compaction rate", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets whether the sorted tables of a family are merged into one or few when fewer than 1,000
     * cells a second have been written to the database for some seconds; true by default. Gets and
     * scans then search fewer tables. The merge is cancelled when more is written. It does not
     * apply to leveled families.
     *
     * @param compact whether tables are merged in idle times
     * @return this builder
     */
    public Builder compactWhenIdle(boolean compact) {
      compactWhenIdle = compact;
      return this;
    }

    /**
     * Sets how many bytes of a store's sorted tables may wait for a compaction before its writers
     * are stopped; they are slowed down from half of that. 128 GiB by default.
     *
     * @param bytes the number of bytes, at least 64 KiB
     * @return this builder
     */
    public Builder compactionDebtBytesMax(long bytes) {
      compactionDebtBytesMax = checked("compaction debt", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the approximate size of sorted tables of families with {@link CompactionStyle#LEVELED};
     * 32 MiB by default. The first level has eight of them, each further level eight times as many.
     *
     * @param bytes the size in bytes, 4 KiB to 1 TiB
     * @return this builder
     */
    public Builder levelFileBytes(long bytes) {
      levelFileBytes = checked("file size of levels", bytes, 4 << 10, 1L << 40);
      return this;
    }

    /**
     * Sets the size of one family's files above which a region is split; 10 GiB by default.
     *
     * @param bytes the size in bytes, at least 64 KiB
     * @return this builder
     */
    public Builder regionSplitBytes(long bytes) {
      regionSplitBytes = checked("region split size", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the size of two neighbouring regions below which they are merged, including empty ones;
     * 0, the default, for never. Choose it well below {@link #regionSplitBytes}.
     *
     * @param bytes the size in bytes; 0 for never
     * @return this builder
     */
    public Builder regionMergeBytes(long bytes) {
      regionMergeBytes = checked("region merge size", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets how many sorted tables are open at a time. Tables that have not been read recently are
     * closed, and opened again when they are read. The default, 0, means a quarter of the files
     * that the process may open, at most 10,000. The log needs a few more files. A read-only
     * database keeps all its tables open, because a writer may delete them.
     *
     * @param files the number of tables; 0 for the default
     * @return this builder
     */
    public Builder openFilesMax(int files) {
      openFilesMax = (int) checked("limit of open files", files, 0, Integer.MAX_VALUE);
      return this;
    }

    /**
     * Sets whether the database is opened read-only; false by default. A read-only database changes
     * nothing in the folder and does not lock it, so another process may write to it; reads see the
     * state of the opening, or of the last {@link Database#refresh}. The contents of the log must
     * fit into memory.
     *
     * @param readOnly whether the database is read-only
     * @return this builder
     */
    public Builder readOnly(boolean readOnly) {
      this.readOnly = readOnly;
      return this;
    }

    /**
     * Adds a listener for events of the database.
     *
     * @param listener the listener to add
     * @return this builder
     */
    public Builder eventListener(EventListener listener) {
      List<EventListener> all = new ArrayList<>(eventListeners);
      all.add(Objects.requireNonNull(listener, "listener"));
      eventListeners = Collections.unmodifiableList(all);
      return this;
    }

    /**
     * Sets how long a get, a step of a scan, a write or a commit may take before it is logged
     * together with what it waited for; at most an hour. Zero, the default, logs none. At most one
     * line a second is logged. While this is set, all operations are timed, which takes some 50 ns
     * each.
     *
     * @param limit the duration, up to an hour; zero to log none
     * @return this builder
     */
    public Builder slowOperation(Duration limit) {
      checked("slow operation in ms", millisOf(limit), 0, 3_600_000);
      slowOperation = limit;
      return this;
    }

    /**
     * Sets how the database looks for objects that are never closed; {@link LeakDetection#SAMPLED}
     * by default.
     *
     * @param detection how leaks are found
     * @return this builder
     */
    public Builder leakDetection(LeakDetection detection) {
      leakDetection = Objects.requireNonNull(detection, "detection");
      return this;
    }

    /**
     * Sets whether the statistics are published by JMX, in the platform's MBean server, as {@code
     * io.accordiondb:type=Database,name="folder"}; false by default.
     *
     * @param register whether a bean is registered
     * @return this builder
     */
    public Builder jmx(boolean register) {
      jmx = register;
      return this;
    }

    /**
     * Adds a merge operator, to which families refer by its name. The operators of {@link
     * io.accordiondb.merge.MergeOperators} are always available and need not be added.
     *
     * @param operator the operator to add
     * @return this builder
     * @throws IllegalArgumentException if there is another operator with this name
     */
    public Builder mergeOperator(MergeOperator operator) {
      String name = Objects.requireNonNull(operator, "operator").name();
      Map<String, MergeOperator> all = new TreeMap<>(mergeOperators);
      MergeOperator before = all.putIfAbsent(name, operator);
      if (before != null && before != operator) {
        throw new IllegalArgumentException("there are two merge operators with the name " + name);
      }
      mergeOperators = Collections.unmodifiableMap(all);
      return this;
    }

    /**
     * Adds a compaction filter, to which families refer by its name.
     *
     * @param name 1 to 127 printable ASCII characters
     * @param filter the filter to add
     * @return this builder
     * @throws IllegalArgumentException if the name is not allowed, or there is another filter with
     *     this name
     */
    public Builder compactionFilter(String name, CompactionFilter filter) {
      FamilyDescriptor.checkFunctionName("compaction filter", name);
      Map<String, CompactionFilter> all = new TreeMap<>(compactionFilters);
      CompactionFilter before = all.putIfAbsent(name, Objects.requireNonNull(filter, "filter"));
      if (before != null && before != filter) {
        throw new IllegalArgumentException(
            "there are two compaction filters with the name " + name);
      }
      compactionFilters = Collections.unmodifiableMap(all);
      return this;
    }

    /**
     * {@return the options}
     *
     * @throws IllegalArgumentException if two options contradict each other
     */
    public DatabaseOptions build() {
      if (batchBytesMax >= memoryBytes) {
        throw new IllegalArgumentException(
            "batch limit is "
                + batchBytesMax
                + ", expected less than the memory, which is "
                + memoryBytes
                + ": lower batchBytesMax or raise memoryBytes");
      }
      return new DatabaseOptions(copy());
    }

    private Builder copy() {
      try {
        return (Builder) super.clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }

    /** Returns a duration in whole milliseconds, or the nearest {@code long}. */
    private static long millisOf(Duration duration) {
      try {
        return duration.toMillis();
      } catch (ArithmeticException e) {
        return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
    }

    private static long checked(String what, long value, long min, long max) {
      if (value < min || value > max) {
        throw new IllegalArgumentException(
            what + " is " + value + ", expected " + min + " to " + max);
      }
      return value;
    }
  }
}
