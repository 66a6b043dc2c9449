// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options of sorted tables, of the threads that write them, and of regions. A group of {@link
 * DatabaseOptions.Builder}, which inherits all groups: each option is described, kept and checked
 * here. Not thread-safe.
 */
abstract class FileSettings<B extends FileSettings<B>> extends LogSettings<B> {
  private static final int COMPACTION_THREADS_MAX = 64;

  long blockCacheBytes = Math.min(256 * OptionBounds.MIB, Runtime.getRuntime().maxMemory() / 8);
  FileReading fileReading = FileReading.PLAIN;
  int openFilesMax;
  @Nullable KeyProvider encryption;
  int flushThreads = 1;
  int compactionThreads =
      Math.max(1, Math.min(COMPACTION_THREADS_MAX, Runtime.getRuntime().availableProcessors() / 4));
  long compactionBytesPerSecond;
  boolean compactWhenIdle = true;
  long compactionDebtBytesMax = 128L << 30;
  long levelFileBytes = 32 * OptionBounds.MIB;
  long regionSplitBytes = 10_240 * OptionBounds.MIB;
  long regionMergeBytes;

  FileSettings() {}

  /**
   * Sets the budget of the block cache, in bytes: blocks and single columns in direct memory, and
   * indices and filters on the heap. By default an eighth of the heap's maximum, at most 256 MiB.
   *
   * <p>If the process runs out of direct memory, the cache gives blocks back, because reads and
   * flushes need a little of it, and does not grow any more until this budget changes.
   *
   * @param bytes the budget in bytes; 0 for no cache
   * @return this builder
   */
  public B blockCacheBytes(long bytes) {
    blockCacheBytes = OptionBounds.checked("blockCacheBytes", bytes, 0, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets how blocks of sorted tables are read; {@link FileReading#PLAIN} by default.
   *
   * @param reading how blocks are read
   * @return this builder
   */
  public B fileReading(FileReading reading) {
    fileReading = Objects.requireNonNull(reading, "reading");
    return self();
  }

  /**
   * Sets how many sorted tables are open at a time. Tables that have not been read recently are
   * closed, and opened again when they are read. The default, 0, means a quarter of the files that
   * the process may open, at most 10,000. The log needs a few more files. A read-only database
   * keeps all its tables open, because a writer may delete them.
   *
   * @param files the number of tables; 0 for the default
   * @return this builder
   */
  public B openFilesMax(int files) {
    openFilesMax = (int) OptionBounds.checked("openFilesMax", files, 0, Integer.MAX_VALUE);
    return self();
  }

  /**
   * Encrypts files at rest by AES-GCM, under the keys of a provider; by default files are plain. An
   * existing database is encrypted as its files are rewritten: new files are encrypted from now on,
   * and {@link Database#majorCompact} rewrites the others. The same applies to a new current key.
   * Use {@link KeyProviders#withoutCurrent} to go back to plain files; a database that is opened
   * with it when no file is encrypted any more needs no provider afterwards.
   *
   * <p>Names and lengths of files, and the file LOCK, are not encrypted. Encrypted log files are
   * never mapped; see {@link LogWriting#PLAIN}. The output of {@code export} is plain. A database
   * with encrypted files cannot be opened without their keys.
   *
   * @param keys the provider of the keys
   * @return this builder
   */
  public B encryption(KeyProvider keys) {
    encryption = Objects.requireNonNull(keys, "keys");
    return self();
  }

  /**
   * Sets the number of threads that flush; 1 by default.
   *
   * @param threads the number of threads, 1 to 64
   * @return this builder
   */
  public B flushThreads(int threads) {
    flushThreads = (int) OptionBounds.checked("flushThreads", threads, 1, 64);
    return self();
  }

  /**
   * Sets the number of threads that compact; a quarter of the processors, at least 1, by default.
   *
   * @param threads the number of threads, 1 to 64
   * @return this builder
   */
  public B compactionThreads(int threads) {
    compactionThreads =
        (int) OptionBounds.checked("compactionThreads", threads, 1, COMPACTION_THREADS_MAX);
    return self();
  }

  /**
   * Sets how many bytes of cells all compactions together read in a second at most; 0, the default,
   * for no limit. The limit does not apply to a store whose files pile up.
   *
   * @param bytes the number of bytes a second; 0 for no limit
   * @return this builder
   */
  public B compactionBytesPerSecond(long bytes) {
    compactionBytesPerSecond =
        OptionBounds.checked("compactionBytesPerSecond", bytes, 0, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets whether the sorted tables of a family are merged into one or few, and its segments in
   * memory into one, when at most 1,000 cells and 1 MiB a second have been written to the database
   * for some seconds; true by default. Gets and scans then search fewer tables and segments. The
   * merge of tables is cancelled when more is written, and does not apply to leveled families.
   *
   * @param compact whether tables and segments are merged in idle times
   * @return this builder
   */
  public B compactWhenIdle(boolean compact) {
    compactWhenIdle = compact;
    return self();
  }

  /**
   * Sets how many bytes of a store's sorted tables may wait for a compaction before its writers are
   * stopped; they are slowed down from half of that. 128 GiB by default.
   *
   * @param bytes the number of bytes, at least 64 KiB
   * @return this builder
   */
  public B compactionDebtBytesMax(long bytes) {
    compactionDebtBytesMax =
        OptionBounds.checked("compactionDebtBytesMax", bytes, 64 << 10, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets the approximate size of sorted tables of families with {@link CompactionStyle#LEVELED}; 32
   * MiB by default. The first level has eight of them, each further level eight times as many. With
   * {@link CompactionStyle#TIERED}, tables of half that size and more that share no row with their
   * neighbours in age are not merged with them. A change applies to a store when it is opened, or
   * when its next table is written.
   *
   * @param bytes the size in bytes, 4 KiB to 1 TiB
   * @return this builder
   */
  public B levelFileBytes(long bytes) {
    levelFileBytes = OptionBounds.checked("levelFileBytes", bytes, 4 << 10, 1L << 40);
    return self();
  }

  /**
   * Sets the size of one family's files above which a region is split; 10 GiB by default.
   *
   * @param bytes the size in bytes, at least 64 KiB
   * @return this builder
   */
  public B regionSplitBytes(long bytes) {
    regionSplitBytes = OptionBounds.checked("regionSplitBytes", bytes, 64 << 10, Long.MAX_VALUE);
    return self();
  }

  /**
   * Sets the size of two neighbouring regions below which they are merged, including empty ones; 0,
   * the default, for never. Choose it well below {@link #regionSplitBytes}; {@link
   * DatabaseOptions.Builder#build} refuses a higher value than that, because what is merged would
   * be split again.
   *
   * @param bytes the size in bytes; 0 for never
   * @return this builder
   */
  public B regionMergeBytes(long bytes) {
    regionMergeBytes = OptionBounds.checked("regionMergeBytes", bytes, 0, Long.MAX_VALUE);
    return self();
  }
}
