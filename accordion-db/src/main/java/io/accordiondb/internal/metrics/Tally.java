// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.metrics;

import io.accordiondb.statistics.BlockKind;
import io.accordiondb.statistics.OperationKind;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;

/**
 * The counters of one thread. Only that thread changes them; any thread may read them. They are
 * written without ordering, so a reader may see some of them a moment late.
 *
 * <p>Counting is an addition to memory that no other thread writes, and each tally decides by
 * itself which operations are timed, so neither becomes slower with more threads.
 */
public final class Tally {
  /** On average one in this many short operations is timed. */
  public static final int SAMPLE_MEAN = 32;

  /** What is said of an operation of which no cause of a wait is known. */
  static final String NO_CAUSES = "; nothing that it waited for is known";

  private static final int KINDS = OperationKind.values().length;
  private static final int BLOCK_KINDS = BlockKind.values().length;
  private static final int HITS = KINDS;
  private static final int MISSES = HITS + BLOCK_KINDS;
  private static final int BATCHES = MISSES + BLOCK_KINDS;
  private static final int CELLS = BATCHES + 1;
  private static final int BYTES = CELLS + 1;

  /** Number of counters. */
  static final int COUNTERS = BYTES + 1;

  /** Keeps the counters of two threads out of one cache line. */
  private static final int PADDING = 16;

  private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

  private final Thread owner;
  private final WeakReference<Tally> reference = new WeakReference<>(this);
  private final long[] counts = new long[COUNTERS + PADDING];
  private int random;
  private int untilTimed;
  private boolean timing;
  private boolean compacting;

  // Counts over all operations of this thread. The difference of two readings is the count of one
  // operation.
  private long cacheReads;
  private long fileReads;
  private long stallNanos;
  private long logNanos;

  // The same counts when the operation that is being timed began.
  private long cacheReadsBefore;
  private long fileReadsBefore;
  private long stallNanosBefore;
  private long logNanosBefore;

  Tally(Thread owner) {
    this.owner = owner;
    // Scrambled, so that threads with neighbouring numbers differ; never zero.
    random = (int) (owner.getId() * 0x9E3779B97F4A7C15L >>> 32) | 1;
    untilTimed = nextSample();
  }

  /** Returns whether a thread is the one that this tally belongs to. */
  boolean belongsTo(Thread thread) {
    return owner == thread;
  }

  /** Returns a reference that does not keep this tally alive after its thread has ended. */
  WeakReference<Tally> reference() {
    return reference;
  }

  /** Returns the counters, for reading. */
  long[] counts() {
    return counts;
  }

  /** Returns one counter of an array that {@link #counts} has returned. */
  static long read(long[] counts, int counter) {
    return (long) COUNTS.getOpaque(counts, counter);
  }

  static int hits(BlockKind kind) {
    return HITS + kind.ordinal();
  }

  static int misses(BlockKind kind) {
    return MISSES + kind.ordinal();
  }

  static int batches() {
    return BATCHES;
  }

  static int cells() {
    return CELLS;
  }

  static int bytes() {
    return BYTES;
  }

  private void add(int counter, long amount) {
    COUNTS.setOpaque(counts, counter, counts[counter] + amount);
  }

  /** Counts operations that have ended. */
  public void count(OperationKind kind, long operations) {
    add(kind.ordinal(), operations);
  }

  /** Counts a block that the cache had, unless a compaction requested it. */
  public void countHit(BlockKind kind) {
    cacheReads++;
    if (!compacting) {
      add(hits(kind), 1);
    }
  }

  /** Counts a block that the cache did not have, unless a compaction requested it. */
  public void countMiss(BlockKind kind) {
    // A column that is not cached by itself is then read from blocks, which are counted as such.
    if (kind != BlockKind.COLUMN) {
      fileReads++;
    }
    if (!compacting) {
      add(misses(kind), 1);
    }
  }

  /**
   * Counts a batch that was committed.
   *
   * @param contentBytes bytes of keys and values of its cells
   */
  public void countCommit(long cells, long contentBytes) {
    add(BATCHES, 1);
    add(CELLS, cells);
    add(BYTES, contentBytes);
  }

  /** Sets whether this thread compacts. The reads of a compaction say nothing about the cache. */
  public void setCompacting(boolean compacting) {
    this.compacting = compacting;
  }

  /** Adds the time for which a write was delayed. */
  public void addStall(long nanos) {
    stallNanos += nanos;
  }

  /** Adds the time for which a write waited for the log. */
  public void addLogWait(long nanos) {
    logNanos += nanos;
  }

  /** Returns how many blocks this thread has found in the cache. */
  public long cacheReads() {
    return cacheReads;
  }

  /** Returns how many blocks this thread has read from files. */
  public long fileReads() {
    return fileReads;
  }

  /** Returns the kind of a get that began at these counts. */
  public OperationKind getSince(long cacheReadsThen, long fileReadsThen) {
    if (fileReads != fileReadsThen) {
      return OperationKind.GET_FILE;
    }
    return cacheReads == cacheReadsThen ? OperationKind.GET_MEMORY : OperationKind.GET_CACHE;
  }

  /** Returns whether to time the operation that begins now. */
  boolean isDue() {
    timing = --untilTimed <= 0;
    return timing;
  }

  /** Begins an operation that is timed. */
  void beginTiming() {
    timing = true;
    untilTimed = nextSample();
    cacheReadsBefore = cacheReads;
    fileReadsBefore = fileReads;
    stallNanosBefore = stallNanos;
    logNanosBefore = logNanos;
  }

  /** Returns whether the operation that runs is timed. */
  public boolean isTiming() {
    return timing;
  }

  /**
   * Returns after how many operations the next one is timed. The number is random, so that no
   * regular pattern of operations is missed.
   */
  public int nextSample() {
    return 1 + (nextRandom() & (2 * SAMPLE_MEAN - 1));
  }

  /** Returns a random number. */
  int nextRandom() {
    random ^= random << 13;
    random ^= random >>> 17;
    random ^= random << 5;
    return random;
  }

  /** Returns, in words, the causes of waits of the operation that is being timed. */
  String causes() {
    StringBuilder causes = new StringBuilder();
    append(causes, stallNanos - stallNanosBefore, "held up, because the disk could not follow");
    append(causes, logNanos - logNanosBefore, "waiting for the log");
    if (fileReads > fileReadsBefore) {
      causes.append("; ").append(fileReads - fileReadsBefore).append(" blocks read from files");
    }
    if (cacheReads > cacheReadsBefore) {
      causes.append("; ").append(cacheReads - cacheReadsBefore).append(" blocks from the cache");
    }
    return causes.length() == 0 ? NO_CAUSES : causes.toString();
  }

  private static void append(StringBuilder causes, long nanos, String what) {
    if (nanos > 0) {
      causes.append("; ").append(nanos / 1000).append(" us ").append(what);
    }
  }
}
