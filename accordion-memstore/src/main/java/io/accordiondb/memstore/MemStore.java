// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.retention.OlderRows;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The memory store of one family of one region: an active segment that takes writes, a pipeline of
 * sealed segments, and the snapshot that a disk flush is writing (section 3.1 of the paper).
 *
 * <p>Thread-safe. Readers and writers never wait for each other or for a merge.
 *
 * <pre>
 *   add ──► active ──in-memory flush──► pipeline ──snapshot──► snapshot ──clearSnapshot──► gone
 *                                        │    ▲
 *                                        └────┘ flatten, merge, compact ({@link PipelineWorker})
 * </pre>
 *
 * <p>All three parts are in one {@link SegmentList}, which every change copies and swaps ({@link
 * CurrentSegments}).
 */
public final class MemStore implements AutoCloseable {
  // Longer than 400 lines because it is the only entry to the memory store, and half of it is
  // Javadoc.

  /**
   * An active segment to which nothing is added is sealed if it holds at least one part in this
   * many of what it can hold. A write now and then does not cause a merge each time.
   */
  private static final int QUIET_PART_MIN = 16;

  /**
   * A merge of the whole pipeline waits for as many calls as it has this many cells. If it is
   * called each second, it takes about a twentieth of a processor at the most, however many cells
   * are in memory and however few are added between two calls.
   */
  private static final long MERGED_CELLS_PER_CALL = 1 << 19;

  private final MemStoreEnvironment environment;
  private final MemoryAccount account;
  private final CommonPrefix keyPrefix = new CommonPrefix();
  private final SegmentFactory factory;
  private final CurrentSegments segments;
  private final OldestSequence oldestSequence;
  private final PipelineCounters counters = new PipelineCounters();
  private final CompactionFilters filters;
  private final RangeMemory ranges;
  private final PipelineWorker worker;
  private final DeadCells deadCells;
  private volatile MemStoreOptions options;

  /** The highest sequence number in the active segment at the last call to merge the pipeline. */
  private volatile long newestWhenMerged = -1;

  /** How often a merge of the pipeline was asked for since the last one. */
  private volatile long callsWaited;

  /**
   * Creates an empty memory store, which takes no memory until the first cell arrives.
   *
   * @param options the options of the store
   * @param environment the services of the host
   */
  public MemStore(MemStoreOptions options, MemStoreEnvironment environment) {
    this(options, environment, null);
  }

  /**
   * Creates an empty memory store for a host with rules of its own.
   *
   * @param compactionRules what in-memory compactions may drop; null for the options' version rules
   * @param options the options of the store
   * @param environment the services of the host
   */
  public MemStore(
      MemStoreOptions options,
      MemStoreEnvironment environment,
      @Nullable CompactionRules compactionRules) {
    this.options = options;
    this.environment = environment;
    this.account = environment.openAccount();
    this.factory = new SegmentFactory(environment, account, this::options, keyPrefix);
    this.segments = new CurrentSegments(factory.emptyList());
    this.oldestSequence = new OldestSequence(segments, environment.listener());
    this.ranges = new RangeMemory(segments, account, environment.readers());
    this.filters = new CompactionFilters(environment, this::options, segments, compactionRules);
    this.worker =
        new PipelineWorker(
            new StoreParts(
                environment,
                account,
                this::options,
                segments,
                factory,
                keyPrefix,
                filters,
                oldestSequence),
            counters);
    this.deadCells =
        new DeadCells(segments, worker, environment.readers(), this::options, this::flushInMemory);
    environment.listener().onOpen(this::statistics);
  }

  /** {@return the current options} */
  public MemStoreOptions options() {
    return options;
  }

  /**
   * Changes the options. They take effect at the next in-memory flush, or at the next disk flush if
   * the policy was NONE.
   *
   * @param options the options of the store
   */
  public void setOptions(MemStoreOptions options) {
    this.options = options;
  }

  /**
   * Copies cells that the host has logged into the store. They are readable when this returns. The
   * host decides by their sequence numbers which of them a reader sees.
   *
   * @param cells big-endian buffer in which the cells follow each other, without tags, each no
   *     longer than the host's limit; neither kept nor moved
   * @param offset of the first cell
   * @param count number of cells
   * @param firstSequence sequence number of the first cell, at least 0; each further one has the
   *     next number, below {@link Long#MAX_VALUE}
   * @throws IllegalArgumentException if a cell would get a sequence number outside of these bounds
   */
  public void add(ByteBuffer cells, int offset, int count, long firstSequence) {
    add(cells, offset, count, firstSequence, BatchFormat.NUMBERED);
  }

  /**
   * Copies cells, as {@link #add(ByteBuffer, int, int, long)} does.
   *
   * @param format how the cells follow each other, and which sequence numbers further ones have; of
   *     cells that are equal but for their values, the one added last comes first
   * @param cells big-endian buffer that holds the cells; neither kept nor moved
   * @param offset offset of the first cell, in bytes
   * @param count number of cells
   * @param firstSequence sequence number of the first cell
   * @throws IllegalArgumentException if a cell would get a sequence number that none can have
   */
  public void add(ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format) {
    checkSequences(firstSequence, count, format);
    if (count >= SegmentFactory.SEGMENT_CELLS_MIN) {
      EncodedCells batch = new EncodedCells(cells, offset, count, firstSequence, format);
      ImmutableSegment segment = factory.segmentOf(List.of(batch), options.activeSealBytes(0) / 2);
      if (segment != null) {
        addSegment(segment);
        return;
      }
    }
    addOneByOne(cells, offset, count, firstSequence, format);
  }

  /**
   * Prepares to add batches, and returns the action that adds them, as {@link #add} does. If there
   * are enough cells, this method already builds a segment of them, without changing the store. So
   * several threads may prepare batches at the same time, and the caller then runs the actions in
   * order. Building a segment takes less time than adding the cells, but it takes a place in the
   * pipeline, so use this only while few other threads write.
   *
   * @param batches in the order of their sequence numbers; the store refers to them until the
   *     action has run
   * @return the action that adds the cells
   * @throws IllegalArgumentException if a cell would get a sequence number that none can have
   */
  public Runnable prepare(List<EncodedCells> batches) {
    for (EncodedCells batch : batches) {
      checkSequences(batch.firstSequence(), batch.count(), batch.format());
    }
    ImmutableSegment segment = factory.segmentOf(batches, 0);
    if (segment != null) {
      return () -> addSegment(segment);
    }
    return () -> batches.forEach(this::add);
  }

  /**
   * Throws if a number does not fit a cell's record, whose sign bit marks tags, or is the one by
   * which {@link #oldestSequence} says that there is no cell.
   */
  private static void checkSequences(long first, int count, BatchFormat format) {
    long last = format.sequence(first, Math.max(0, count - 1));
    if (first < 0 || last < first || last == Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "sequence numbers are " + first + " to " + last + ", expected 0 to 2^63 - 2");
    }
  }

  private void add(EncodedCells batch) {
    add(batch.cells(), batch.offset(), batch.count(), batch.firstSequence(), batch.format());
  }

  /**
   * Announces that the host will add cells that it has not logged. They may displace logged cells
   * and vanish in a crash. So that the host's log still has what they displaced, {@link
   * #oldestSequence} does not rise until a snapshot that holds them has been cleared.
   *
   * <p>The host calls this before it adds such cells, and takes no snapshot in between.
   *
   * @param nextSequence all writes below this are in memory already
   */
  public void holdOldestSequence(long nextSequence) {
    oldestSequence.hold(nextSequence);
  }

  private void addOneByOne(
      ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format) {
    int at = offset;
    int done = 0;
    while (done < count) {
      MutableSegment active = segments.get().active();
      if (!active.enter()) {
        // The segment is sealed, so another one has replaced it since it was read.
        Thread.onSpinWait();
        continue;
      }
      int inserted;
      try {
        inserted =
            active.insert(cells, at, count - done, format.sequence(firstSequence, done), format);
      } finally {
        active.exit();
      }
      if (active.isFull()) {
        flushInMemory(active);
      }
      done += inserted;
      for (int i = 0; done < count && i < inserted; i++) {
        at += format.step(cells, at);
      }
    }
  }

  /**
   * Deletes all cells of a range of rows that have a lower sequence number, in memory and wherever
   * the host has them. It takes the same time for any number of cells. Compactions in memory drop
   * the cells that no reader sees any more.
   *
   * @param tombstone the rows, and the sequence number below which cells are deleted
   */
  public void deleteRange(RangeTombstone tombstone) {
    ranges.add(tombstone);
  }

  /** Adds a segment to the pipeline behind the present active segment, and releases it. */
  private void addSegment(ImmutableSegment segment) {
    try {
      segments.putIntoPipeline(segment, factory);
      keyPrefix.fit(segment.fittingPrefix());
      flushedInMemory(segment);
    } finally {
      segment.release();
    }
  }

  /**
   * Sets which rows may have cells outside of memory. Until it is called, every row may.
   *
   * @param rows decides for each row
   */
  public void setOlderRows(OlderRows rows) {
    filters.setOlderRows(rows);
  }

  /**
   * Sets the sequence number up to which the store may have cells that were never in memory.
   *
   * @param sequence the highest sequence number of such a cell
   */
  public void noteForeignCells(long sequence) {
    filters.noteForeignCells(sequence);
  }

  /** {@return the segments as a reader sees them from now on; the caller must close the view} */
  public MemStoreView view() {
    SegmentList list = segments.retain();
    MemStoreView view = null;
    try {
      view = new MemStoreView(list, keyPrefix.get(), deadCells);
      return view;
    } finally {
      if (view == null) {
        list.release();
      }
    }
  }

  /**
   * Seals the active segment, if it holds a cell, and puts it at the head of the pipeline. Under
   * NONE, which has no pipeline, it does nothing.
   */
  public void flushInMemory() {
    MutableSegment active = segments.get().active();
    if (active.entersPipeline() && active.cellCount() > 0) {
      flushInMemory(active);
    }
  }

  /**
   * Requests a merge of the whole pipeline into one segment, which readers search faster than
   * several. The host calls this from time to time, on one thread, while little is written: during
   * many writes a merge of everything costs more than it saves. The merge drops what the policy
   * drops, and runs on the host's executor. The more cells it has, the more calls it waits for. The
   * active segment joins it if nothing was added since the last call.
   */
  public void mergePipeline() {
    MutableSegment active = segments.get().active();
    long newest = active.maxSequence();
    boolean isQuiet = newest == newestWhenMerged;
    newestWhenMerged = newest;
    long calls = callsWaited + 1;
    callsWaited = calls;
    if (flushableCells().cells() > calls * MERGED_CELLS_PER_CALL) {
      return;
    }
    if (isQuiet && active.dataBytes() >= options.activeSealBytes(0) / QUIET_PART_MIN) {
      flushInMemory();
    }
    if (worker.makeOne()) {
      callsWaited = 0;
    }
  }

  /**
   * Moves active segment and pipeline to the snapshot (section 3.1, "Flushes to disk"). If there is
   * a snapshot already, because a flush has failed, this returns the same one again.
   *
   * <p>If the host keeps writers out during the call, the snapshot holds exactly the cells added
   * before.
   *
   * @return the snapshot
   */
  public FlushSnapshot snapshot() {
    boolean isNew = segments.change(old -> old.hasSnapshot() ? old : factory.withSnapshot(old));
    if (isNew) {
      oldestSequence.moveToSnapshot();
      // Its sources are in the snapshot now. A flush that is repeated takes nothing from the
      // pipeline.
      worker.cancel();
      worker.onDiskFlush();
    }
    SegmentList list = segments.retain();
    try {
      for (Segment segment : list.snapshot()) {
        if (segment instanceof MutableSegment sealed) {
          sealed.awaitQuiescence();
        }
      }
      FlushSnapshot snapshot =
          new FlushSnapshot(
              list.snapshot(),
              list.snapshotRanges(),
              oldestSequence.snapshotGoneUpTo(),
              keyPrefix.get());
      if (isNew) {
        environment
            .listener()
            .onSnapshot(list.snapshot().size(), snapshot.cellCount(), snapshot.dataBytes());
      }
      return snapshot;
    } finally {
      list.release();
    }
  }

  /** {@return whether there is a snapshot, which {@link #snapshot} would return again} */
  public boolean hasSnapshot() {
    return segments.get().hasSnapshot();
  }

  /**
   * {@return whether there is neither a cell nor a range tombstone in memory} Exact only while the
   * host keeps writers out.
   */
  public boolean isEmpty() {
    return segments.ask(SegmentList::isEmpty);
  }

  /** Releases the snapshot, because its cells are on disk or no longer wanted. */
  public void clearSnapshot() {
    RangeTombstones[] gone = new RangeTombstones[1];
    segments.change(
        old -> {
          gone[0] = old.snapshotRanges();
          oldestSequence.noteGone(old.snapshot());
          oldestSequence.noteGone(gone[0].maxSequence());
          return old.withoutSnapshot();
        });
    ranges.credit(gone[0]);
    oldestSequence.releaseSnapshot();
    oldestSequence.check();
  }

  /** {@return all memory charged to this store, in bytes: at least {@link #flushableBytes}} */
  public long usedBytes() {
    return account.usedBytes();
  }

  /**
   * {@return the bytes that a disk flush would take: active segment, pipeline, range tombstones}
   */
  public long flushableBytes() {
    return segments.ask(SegmentList::flushableBytes);
  }

  /** {@return the bytes of the range tombstones that a disk flush would take} */
  public long rangeTombstoneBytes() {
    return ranges.heapBytes();
  }

  /** {@return counts over the cells that a disk flush would take: active segment and pipeline} */
  public FlushableCells flushableCells() {
    return segments.ask(SegmentList::flushableCells);
  }

  /**
   * {@return the oldest sequence number that is only in memory (section 3.2, "WAL Truncation"), or
   * was when {@link #holdOldestSequence} was called; {@link Long#MAX_VALUE} when there is none} The
   * host must consider writes that have a number but have not been added yet.
   */
  public long oldestSequence() {
    return oldestSequence.get();
  }

  /** {@return the counters and the present state of the store} */
  public MemStoreStatistics statistics() {
    return segments.ask(worker::statistics);
  }

  /**
   * Releases all segments, after the writers that are in one have left it. Their memory is freed
   * when the last view is closed. No other method may be called after it.
   */
  @Override
  public void close() {
    worker.cancel();
    SegmentList gone = segments.close(factory.closedList());
    ranges.credit(gone.ranges());
    ranges.credit(gone.snapshotRanges());
    environment.listener().onClose();
  }

  private void flushInMemory(MutableSegment full) {
    boolean swapped =
        segments.change(
            old -> {
              if (old.active() != full) {
                return old;
              }
              if (keyPrefix.known() == null
                  && full instanceof SkipListSegment first
                  && first.cellCount() > 0) {
                keyPrefix.fit(first.fittingPrefix());
              }
              List<Segment> pipeline = new ArrayList<>(old.pipeline());
              pipeline.add(0, full);
              return factory.withNewActive(old, pipeline);
            });
    if (swapped) {
      worker.help(full);
      flushedInMemory(full);
    }
  }

  private void flushedInMemory(Segment segment) {
    counters.inMemoryFlushes.increment();
    environment
        .listener()
        .onInMemoryFlush(
            segment.cellCount(), segment.dataBytes(), segments.get().pipeline().size());
    worker.onInMemoryFlush();
  }

  KeyPrefix keyPrefix() {
    return keyPrefix.get();
  }

  CurrentSegments segments() {
    return segments;
  }

  SegmentFactory factory() {
    return factory;
  }
}
