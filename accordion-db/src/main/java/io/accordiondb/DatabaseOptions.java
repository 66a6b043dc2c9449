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
 * How a database is run. Immutable; made by {@link #builder}, which checks each value.
 *
 * <p>Longer than 400 lines because it is one thing: each option is described, set and checked here,
 * and nowhere else.
 */
public final class DatabaseOptions {
  /** Not changed any more. */
  private final Builder values;

  private DatabaseOptions(Builder values) {
    this.values = values;
  }

  /** All defaults. */
  public static DatabaseOptions defaults() {
    return builder().build();
  }

  /** Begins options with all defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads options from a file of lines such as {@code memoryBytes=256 MiB}: the names of the
   * builder's methods, those of {@link MemStorePolicy}'s components behind {@code memStorePolicy.},
   * numbers of bytes with or without the unit KiB, MiB or GiB, durations as {@link Duration} prints
   * them. An option that is not there has its default.
   *
   * @throws IllegalArgumentException if an option is unknown, is there twice, or has a value that
   *     it cannot have; the message names the file, the line and the option
   * @throws IOException if the file cannot be read
   */
  public static DatabaseOptions load(Path file) throws IOException {
    return OptionsFile.load(Objects.requireNonNull(file, "file"));
  }

  /**
   * Writes all options into a file for {@link #load}, but for keys, merge operators, clock,
   * listeners and experiment, which are code. A file that is there is replaced.
   */
  public void save(Path file) throws IOException {
    OptionsFile.save(this, Objects.requireNonNull(file, "file"));
  }

  /** Returns a builder that has these options. */
  public Builder toBuilder() {
    return values.copy();
  }

  /** Returns whether an empty or absent folder becomes a database. */
  public boolean createIfMissing() {
    return values.createIfMissing;
  }

  /** Returns the budget of all memory stores together, outside the heap. */
  public long memoryBytes() {
    return values.memoryBytes;
  }

  /**
   * Returns the memory at which one store is flushed; 0 for what its share of the budget allows.
   */
  public long storeFlushBytes() {
    return values.storeFlushBytes;
  }

  /**
   * Returns the budget of what is kept of sorted tables, most of it blocks outside the heap; 0 for
   * none.
   */
  public long blockCacheBytes() {
    return values.blockCacheBytes;
  }

  /** Returns the durability of writes that ask for none. */
  public Durability durability() {
    return values.durability;
  }

  /** Returns the merge operators by their names, without those that are always there. */
  public Map<String, MergeOperator> mergeOperators() {
    return values.mergeOperators;
  }

  /** Returns the compaction filters by their names. */
  public Map<String, CompactionFilter> compactionFilters() {
    return values.compactionFilters;
  }

  /** Returns the policy of families that name none. */
  public MemStorePolicy memStorePolicy() {
    return values.memStorePolicy;
  }

  /** Returns the size of the log above which the stores that need its oldest part are flushed. */
  public long logBytesMax() {
    return values.logBytesMax;
  }

  /** Returns for how long log files are kept for change feeds; zero for not at all. */
  public Duration logRetention() {
    return values.logRetention;
  }

  /** Returns how many bytes of log files are kept for change feeds at most. */
  public long logRetentionBytesMax() {
    return values.logRetentionBytesMax;
  }

  /** Returns the size at which a new log file is begun. */
  public long logFileBytes() {
    return values.logFileBytes;
  }

  /** Returns how long writes of {@link Durability#ASYNC} may wait in memory. */
  public Duration asyncLogDelay() {
    return values.asyncLogDelay;
  }

  /** Returns how many threads flush. */
  public int flushThreads() {
    return values.flushThreads;
  }

  /** Returns how many threads compact. */
  public int compactionThreads() {
    return values.compactionThreads;
  }

  /** Returns the longest row. */
  public int rowBytesMax() {
    return values.rowBytesMax;
  }

  /** Returns the largest value. */
  public int valueBytesMax() {
    return values.valueBytesMax;
  }

  /** Returns the largest batch, as it is logged. */
  public int batchBytesMax() {
    return values.batchBytesMax > 0
        ? values.batchBytesMax
        : (int) Math.min(64 * Builder.MIB, values.memoryBytes / 4 * 3);
  }

  /** Returns how long a write waits for the disk before it fails. */
  public Duration stallMax() {
    return values.stallMax;
  }

  /** Returns the keys under which files are encrypted; empty if all of them are plain. */
  public Optional<KeyProvider> encryption() {
    return Optional.ofNullable(values.encryption);
  }

  /** Returns what gives timestamps and the time against which the time to live counts. */
  public InstantSource clock() {
    return values.clock;
  }

  /** Returns what is done with a log that is not whole. */
  public RecoveryMode recoveryMode() {
    return values.recoveryMode;
  }

  /** Returns who is told, on the opening thread, how far a replay has come. */
  public Consumer<RecoveryProgress> recoveryListener() {
    return values.recoveryListener;
  }

  /** Returns what experiments change. */
  public Experiment experiment() {
    return values.experiment;
  }

  /** Returns how each batch in the log is compressed: NONE or LZ4. */
  public Compression logCompression() {
    return values.logCompression;
  }

  /** Returns how the log reaches the operating system. */
  public LogWriting logWriting() {
    return values.logWriting;
  }

  /** Returns how blocks of sorted tables are read, see {@link FileReading}. */
  public FileReading fileReading() {
    return values.fileReading;
  }

  /** Returns what all compactions together read, at most; 0 for no limit. */
  public long compactionBytesPerSecond() {
    return values.compactionBytesPerSecond;
  }

  /**
   * Returns whether sorted tables are merged, so that reads find fewer, when hardly anything is
   * written.
   */
  public boolean compactWhenIdle() {
    return values.compactWhenIdle;
  }

  /**
   * Returns the bytes of a store's sorted tables that wait for a compaction at which its writers
   * are stopped.
   */
  public long compactionDebtBytesMax() {
    return values.compactionDebtBytesMax;
  }

  /** Returns the length of the sorted tables of leveled families. */
  public long levelFileBytes() {
    return values.levelFileBytes;
  }

  /** Returns the size of one family's files above which a region is split. */
  public long regionSplitBytes() {
    return values.regionSplitBytes;
  }

  /** Returns the size of two neighbours below which they are merged; 0 for never. */
  public long regionMergeBytes() {
    return values.regionMergeBytes;
  }

  /**
   * Returns how many sorted tables are open at a time; 0 for a part of what the process may open.
   */
  public int openFilesMax() {
    return values.openFilesMax;
  }

  /** Returns who is told what the database does. */
  public List<EventListener> eventListeners() {
    return values.eventListeners;
  }

  /** Returns how long an operation may take before the log tells of it; zero for any time. */
  public Duration slowOperation() {
    return values.slowOperation;
  }

  /** Returns whether scanners, iterators, cursors and snapshots that nobody closes are found. */
  public LeakDetection leakDetection() {
    return values.leakDetection;
  }

  /** Returns whether the statistics can be read by JMX. */
  public boolean jmx() {
    return values.jmx;
  }

  /** Returns whether nothing is written, and the folder not locked. */
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

    /** 0 for the default, which depends on the memory. */
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

    /** Says whether an empty or absent folder becomes a database; true if not called. */
    public Builder createIfMissing(boolean create) {
      createIfMissing = create;
      return this;
    }

    /**
     * Sets the budget of all memory stores; a quarter of the heap, at most 512 MiB, if not called.
     * At most 200 GiB.
     *
     * <p>Opening a database is refused if the process cannot have that much: with the default
     * layout, if the budget is larger than direct memory ({@code -XX:MaxDirectMemorySize}, by
     * default as large as the heap) and does not fit into the heap either. If direct memory runs
     * out nevertheless, because others in the process use it, the database lowers its budget to
     * what it has got and an eighth of the heap, and flushes earlier.
     */
    public Builder memoryBytes(long bytes) {
      memoryBytes = checked("memory", bytes, MIB, ChunkPool.CAP_BYTES_MAX);
      return this;
    }

    /** Sets the memory at which one store is flushed; 0, if not called, for its share. */
    public Builder storeFlushBytes(long bytes) {
      storeFlushBytes = checked("store flush size", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the budget of what is kept of sorted tables in memory: blocks and single columns, in
     * direct memory, and on the heap indices and filters. An eighth of the heap's maximum, at most
     * 256 MiB, if not called.
     */
    public Builder blockCacheBytes(long bytes) {
      blockCacheBytes = checked("block cache", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /** Sets the durability of writes that ask for none; SYNC if not called. */
    public Builder durability(Durability durability) {
      this.durability = Objects.requireNonNull(durability, "durability");
      return this;
    }

    /** Sets the policy of families that name none; ADAPTIVE if not called. */
    public Builder memStorePolicy(MemStorePolicy policy) {
      memStorePolicy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** Sets the size of the log that forces flushes; 1 GiB if not called. */
    public Builder logBytesMax(long bytes) {
      logBytesMax = checked("log limit", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets for how long log files that nothing else needs are kept for {@link Database#changes}; 0
     * to 10 years, zero if not called, so that feeds reach back only as far as the log does anyway.
     */
    public Builder logRetention(Duration duration) {
      logRetention =
          Duration.ofMillis(
              checked("log retention in ms", millisOf(duration), 0, LOG_RETENTION_MILLIS_MAX));
      return this;
    }

    /** Sets how many bytes of such log files are kept at most; without a limit if not called. */
    public Builder logRetentionBytesMax(long bytes) {
      logRetentionBytesMax = checked("kept log limit", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /** Sets the size at which a new log file is begun; 64 MiB if not called. */
    public Builder logFileBytes(long bytes) {
      logFileBytes = checked("log file size", bytes, 4 << 10, 1L << 40);
      return this;
    }

    /** Sets how long asynchronous writes may wait in memory; 10 ms if not called. */
    public Builder asyncLogDelay(Duration delay) {
      asyncLogDelay = Duration.ofMillis(checked("log delay in ms", millisOf(delay), 1, 60_000));
      return this;
    }

    /** Sets how many threads flush; 1 if not called. */
    public Builder flushThreads(int threads) {
      flushThreads = (int) checked("flush threads", threads, 1, 64);
      return this;
    }

    /** Sets how many threads compact; a quarter of the processors if not called. */
    public Builder compactionThreads(int threads) {
      compactionThreads = (int) checked("compaction threads", threads, 1, 64);
      return this;
    }

    /** Sets the longest row; 32,767 bytes, the most there is, if not called. */
    public Builder rowBytesMax(int bytes) {
      rowBytesMax = (int) checked("row limit", bytes, 1, KeyValueLayout.ROW_BYTES_MAX);
      return this;
    }

    /** Sets the largest value; 10 MiB if not called. */
    public Builder valueBytesMax(int bytes) {
      valueBytesMax = (int) checked("value limit", bytes, 1, 128 * MIB);
      return this;
    }

    /**
     * Sets the largest batch; 64 MiB if not called, or three quarters of the memory if that is
     * less. A batch must fit into the memory: {@link #build} refuses a limit that is not below
     * {@link #memoryBytes}. A larger batch fails at once.
     */
    public Builder batchBytesMax(int bytes) {
      batchBytesMax = (int) checked("batch limit", bytes, 1 << 10, 192 * MIB);
      return this;
    }

    /** Sets how long a write waits for the disk before it fails; a minute if not called. */
    public Builder stallMax(Duration limit) {
      stallMax = Duration.ofMillis(checked("stall limit in ms", millisOf(limit), 0, 86_400_000));
      return this;
    }

    /**
     * Encrypts files at rest by AES-GCM, under keys of a provider; all files are plain if not
     * called. A database of plain files is encrypted as it is rewritten: new files are encrypted
     * from now on, {@link Database#majorCompact} rewrites the others. The same goes for a new
     * current key. With {@link KeyProviders#withoutCurrent} it goes back to plain files.
     *
     * <p>Names and lengths of files, and the file LOCK, are not encrypted. Encrypted log files are
     * never mapped, see {@link LogWriting#PLAIN}. What {@code export} writes is plain. A database
     * that has encrypted files cannot be opened without a provider that has their keys.
     */
    public Builder encryption(KeyProvider keys) {
      encryption = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /**
     * Sets the clock, which dates writes and ends the time to live of cells; the system's if not
     * called. It may be wrong for a while:
     *
     * <ul>
     *   <li>Where it goes back, writes keep the highest timestamp given so far, so none is hidden
     *       by an earlier one. Reads go by what the clock says.
     *   <li>Where it jumps more than an hour ahead of the time that has passed, nothing that has
     *       expired is dropped from memory or files until it has been so for an hour. Reads do not
     *       see it meanwhile; once the clock is right they see it again. After a restart the same
     *       holds if the last write is more than an hour old.
     *   <li>Where it jumps more than 30 days ahead while the database is open, reads and writes,
     *       too, go by the time that has passed, until the clock has been so for an hour.
     * </ul>
     *
     * What is written while the database believes a clock that is ahead bears that time, and later
     * writes bear no earlier one until the database is opened after the last such cell has gone.
     */
    public Builder clock(InstantSource clock) {
      this.clock = Objects.requireNonNull(clock, "clock");
      return this;
    }

    Builder changePolicy(UnaryOperator<MemStorePolicy> change) {
      return memStorePolicy(change.apply(memStorePolicy));
    }

    /** Changes what experiments change; see {@link Experiment}. */
    public Builder experiment(UnaryOperator<Experiment> change) {
      experiment =
          Objects.requireNonNull(
              Objects.requireNonNull(change, "change").apply(experiment), "experiment");
      return this;
    }

    /** Sets what is done with a log that is not whole; TOLERATE_TORN_TAIL if not called. */
    public Builder recoveryMode(RecoveryMode mode) {
      recoveryMode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** Sets who is told, on the opening thread, how far a replay of the log has come. */
    public Builder recoveryListener(Consumer<RecoveryProgress> listener) {
      recoveryListener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /** Sets how each batch in the log is compressed: NONE, if not called, or LZ4. */
    public Builder logCompression(Compression compression) {
      if (compression == Compression.ZSTD) {
        throw new IllegalArgumentException("log compression is ZSTD, expected NONE or LZ4");
      }
      logCompression = Objects.requireNonNull(compression, "compression");
      return this;
    }

    /** Sets how the log reaches the operating system; MAPPED, if not called. */
    public Builder logWriting(LogWriting writing) {
      logWriting = Objects.requireNonNull(writing, "writing");
      return this;
    }

    /** Sets how blocks of sorted tables are read; {@link FileReading#PLAIN}, if not called. */
    public Builder fileReading(FileReading reading) {
      fileReading = Objects.requireNonNull(reading, "reading");
      return this;
    }

    /**
     * Sets how many bytes of cells all compactions together go through in a second; 0, if not
     * called, for no limit. A store whose files pile up is not held to it.
     */
    public Builder compactionBytesPerSecond(long bytes) {
      compactionBytesPerSecond = checked("compaction rate", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets whether the sorted tables of a family are merged, down to one or few, when fewer than
     * 1,000 cells a second have been written to the database for some seconds; true if not called.
     * Gets and scans then search fewer tables. The merge ends when more is written. Leveled
     * families are left alone.
     */
    public Builder compactWhenIdle(boolean compact) {
      compactWhenIdle = compact;
      return this;
    }

    /**
     * Sets how many bytes of one store's sorted tables may wait for a compaction until its writers
     * are stopped; they are slowed down from half of that on. 128 GiB if not called.
     */
    public Builder compactionDebtBytesMax(long bytes) {
      compactionDebtBytesMax = checked("compaction debt", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets about how long sorted tables of families of {@link CompactionStyle#LEVELED} are; 32 MiB
     * if not called. The first level has eight of them, each further one eight times as many.
     */
    public Builder levelFileBytes(long bytes) {
      levelFileBytes = checked("file size of levels", bytes, 4 << 10, 1L << 40);
      return this;
    }

    /** Sets the size of one family's files above which a region is split; 10 GiB if not called. */
    public Builder regionSplitBytes(long bytes) {
      regionSplitBytes = checked("region split size", bytes, 64 << 10, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets the size of two neighbouring regions below which they are merged, empty ones, too; 0, if
     * not called, for never. To be well below the size at which regions are split.
     */
    public Builder regionMergeBytes(long bytes) {
      regionMergeBytes = checked("region merge size", bytes, 0, Long.MAX_VALUE);
      return this;
    }

    /**
     * Sets how many sorted tables are open at a time; those not read lately are closed, and opened
     * again when they are read. 0, if not called, for a quarter of the files that the process may
     * open, at most 10,000. The log needs a few files beside these. A read-only database keeps all
     * of them open, because a writer may delete them.
     */
    public Builder openFilesMax(int files) {
      openFilesMax = (int) checked("limit of open files", files, 0, Integer.MAX_VALUE);
      return this;
    }

    /**
     * Says whether the database is opened for reading alone; false if not called. Then nothing in
     * the folder is changed and it is not locked: it may be in use, and the database is as it was
     * when it was opened. What the log holds has to fit into memory.
     */
    public Builder readOnly(boolean readOnly) {
      this.readOnly = readOnly;
      return this;
    }

    /** Adds a listener, which is told what the database does; see {@link EventListener}. */
    public Builder eventListener(EventListener listener) {
      List<EventListener> all = new ArrayList<>(eventListeners);
      all.add(Objects.requireNonNull(listener, "listener"));
      eventListeners = Collections.unmodifiableList(all);
      return this;
    }

    /**
     * Sets how long a get, a step of a scan, a write or a commit may take before the log tells of
     * it, with what it waited for; up to an hour. Zero, if not called, to look for none. The log
     * gets one line a second at most. While this is set, all operations are timed, which takes some
     * 50 ns of each.
     */
    public Builder slowOperation(Duration limit) {
      checked("slow operation in ms", millisOf(limit), 0, 3_600_000);
      slowOperation = limit;
      return this;
    }

    /** Sets how leaks are found; {@link LeakDetection#SAMPLED} if not called. */
    public Builder leakDetection(LeakDetection detection) {
      leakDetection = Objects.requireNonNull(detection, "detection");
      return this;
    }

    /**
     * Says whether the statistics can be read by JMX, from the platform's MBean server, as {@code
     * io.accordiondb:type=Database,name="folder"}; false if not called.
     */
    public Builder jmx(boolean register) {
      jmx = register;
      return this;
    }

    /**
     * Says what a merge operator is that families name. Those of {@link
     * io.accordiondb.merge.MergeOperators} need not be named here.
     *
     * @throws IllegalArgumentException if there is another one with this name already
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
     * Says what a compaction filter is that families name.
     *
     * @param name 1 to 127 printable ASCII characters
     * @throws IllegalArgumentException if the name is none, or there is another filter with it
     *     already
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
     * Returns the options.
     *
     * @throws IllegalArgumentException if two of them do not fit together
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

    /** Returns a duration in whole milliseconds; the nearest long for what does not fit. */
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
