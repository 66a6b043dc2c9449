// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.event.EventListener;
import io.accordiondb.memstore.MemStorePolicy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The options of a database. Immutable; {@link #builder} makes them and checks each value. */
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

  /** Returns the size above which the log continues in a new file; null if none was chosen. */
  @Nullable Long chosenLogFileBytes() {
    return values.logFileBytes > 0 ? values.logFileBytes : null;
  }

  /**
   * {@return the size above which the log continues in a new file} The default follows {@link
   * #memoryBytes}; an open database keeps what it was at opening.
   */
  public long logFileBytes() {
    return values.logFileBytes > 0
        ? values.logFileBytes
        : Math.min(64 * OptionBounds.MIB, Math.max(4 * OptionBounds.MIB, 2 * values.memoryBytes));
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

  /** Returns the size of the largest batch; null if it depends on the memory. */
  @Nullable Integer chosenBatchBytesMax() {
    return values.batchBytesMax > 0 ? values.batchBytesMax : null;
  }

  /** {@return the size of the largest batch that may be written, in bytes of the log} */
  public int batchBytesMax() {
    return values.batchBytesMax > 0
        ? values.batchBytesMax
        : (int) Math.min(64 * OptionBounds.MIB, values.memoryBytes / 4 * 3);
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
  public static final class Builder extends ApplicationSettings<Builder> implements Cloneable {
    // Most options are in the classes that this one inherits from, a class for each subject.
    private boolean createIfMissing = true;
    private boolean readOnly;

    private Builder() {}

    @Override
    Builder self() {
      return this;
    }

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

    /**
     * {@return the options}
     *
     * @throws IllegalArgumentException if two options contradict each other
     */
    public DatabaseOptions build() {
      if (batchBytesMax >= memoryBytes) {
        throw new IllegalArgumentException(
            "batchBytesMax is "
                + batchBytesMax
                + ", expected less than memoryBytes, which is "
                + memoryBytes
                + ": lower the one or raise the other");
      }
      if (regionMergeBytes > regionSplitBytes) {
        throw new IllegalArgumentException(
            "regionMergeBytes is "
                + regionMergeBytes
                + ", expected no more than regionSplitBytes, which is "
                + regionSplitBytes
                + ": what is merged would be split again");
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
  }
}
