// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import io.accordiondb.cell.EncodedCells;
import io.accordiondb.cell.KeyValueLayout;
import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.segment.BatchFormat;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.Segment;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.active.ObjectSegment;
import io.accordiondb.memstore.segment.active.SkipListSegment;
import io.accordiondb.memstore.segment.build.SortedRun;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.RetentionFilter;
import io.accordiondb.retention.UnseenHistory;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The memory store of one family of one region: an active segment that takes writes, a pipeline of
 * sealed segments, and the snapshot that a disk flush is writing (section 3.1 of the paper).
 *
 * <p>Safe for use by many threads. Readers and writers never wait for each other, nor for a merge.
 *
 * <pre>
 *   add ──► active ──in-memory flush──► pipeline ──snapshot──► snapshot ──clearSnapshot──► gone
 *                                        │    ▲
 *                                        └────┘ flatten, merge, compact ({@link PipelineWorker})
 * </pre>
 *
 * <p>All three stand in one {@link SegmentList}, which every change clones and swaps by
 * compare-and-set (section 3.3).
 */
public final class MemStore implements AutoCloseable {
  /** Fewer cells than this are not worth a segment of their own. */
  private static final int SEGMENT_CELLS_MIN = 1024;

  /** The first segment is sealed with so many bytes of cells: it shows what rows have in common. */
  private static final long FIRST_SEAL_BYTES = 512 << 10;

  private final MemStoreEnvironment environment;
  private final MemoryAccount account;
  private final AtomicReference<SegmentList> current;
  private final PipelineWorker worker;
  private final CompactionRules compactionRules;
  private final LongAdder inMemoryFlushes = new LongAdder();

  /** The highest value that the listener knows. */
  private final AtomicLong oldestSequenceTold = new AtomicLong();

  /** Below this the log is needed because of unlogged cells in active segment and pipeline. */
  private volatile long heldFrom = Long.MAX_VALUE;

  /** The same because of unlogged cells in the snapshot. */
  private volatile long snapshotHeldFrom = Long.MAX_VALUE;

  /** The highest sequence number of cells that have left memory. */
  private final AtomicLong highestGone = new AtomicLong();

  private volatile MemStoreOptions options;

  /** Follows what the rows of segments have in common; null until one has shown it. */
  private final AtomicReference<@Nullable KeyPrefix> keyPrefix = new AtomicReference<>();

  /** Creates an empty memory store, which takes no memory until the first cell arrives. */
  public MemStore(MemStoreOptions options, MemStoreEnvironment environment) {
    this(options, environment, null);
  }

  /**
   * Creates an empty memory store whose host has rules of its own.
   *
   * @param compactionRules what in-memory compactions may drop; null for the options' version rules
   */
  public MemStore(
      MemStoreOptions options,
      MemStoreEnvironment environment,
      @Nullable CompactionRules compactionRules) {
    this.options = options;
    this.environment = environment;
    this.compactionRules = compactionRules == null ? this::versionFilter : compactionRules;
    this.account = environment.openAccount();
    this.worker = new PipelineWorker(this, environment);
    MutableSegment active = newActive(0);
    this.current = new AtomicReference<>(new SegmentList(active, List.of(), List.of()));
    active.release();
    environment.listener().onOpen(this::statistics);
  }

  /** Returns the options in force. */
  public MemStoreOptions options() {
    return options;
  }

  /**
   * Changes the options. They hold from the next in-memory flush on, or from the next disk flush
   * when the policy was NONE.
   */
  public void setOptions(MemStoreOptions options) {
    this.options = options;
  }

  /**
   * Copies cells in, which the host has logged, and makes them readable at once; which of them a
   * reader should see is for the host to say by their sequence numbers.
   *
   * @param cells big-endian buffer in which the cells follow each other, without tags, each no
   *     longer than the host's limit; neither kept nor moved
   * @param offset of the first cell
   * @param count number of cells
   * @param firstSequence sequence number of the first cell; each further one has the next number
   */
  public void add(ByteBuffer cells, int offset, int count, long firstSequence) {
    add(cells, offset, count, firstSequence, BatchFormat.NUMBERED);
  }

  /**
   * Copies cells in, as {@link #add} does, that share one sequence number and may have tags.
   *
   * @param cells big-endian buffer in which the cells follow each other, each with two bytes of
   *     tags length, which may be 0, and so many bytes of tags; neither kept nor moved
   * @param offset of the first cell
   * @param count number of cells
   * @param sequence sequence number of all of them; of cells that are otherwise equal, the one
   *     added last comes first
   */
  public void addTagged(ByteBuffer cells, int offset, int count, long sequence) {
    add(cells, offset, count, sequence, BatchFormat.TAGGED);
  }

  /**
   * Prepares to copy batches in, as {@link #add} does, and returns what does so. Many cells at once
   * become a segment of their own, which is made here already, without what is in memory changing;
   * so threads may prepare at once what is then added in order. It takes less time than to add
   * them, but is worth a place in the pipeline only while few others write.
   *
   * @param batches in the order of their sequence numbers; kept until they are added
   */
  public Runnable prepare(List<EncodedCells> batches) {
    ImmutableSegment segment = segmentOf(batches, BatchFormat.NUMBERED, 0);
    if (segment != null) {
      return () -> addSegment(segment);
    }
    return () -> {
      for (EncodedCells batch : batches) {
        add(batch.cells(), batch.offset(), batch.count(), batch.firstSequence(), BatchFormat.NUMBERED);
      }
    };
  }

  /**
   * Says that cells will be added which the host has not logged. They may displace logged cells, in
   * memory, and vanish in a crash; so that the host's log still has what they displaced, {@link
   * #oldestSequence} does not rise until a snapshot that holds them has been cleared.
   *
   * <p>The host calls this before it adds such cells, and keeps snapshots away in between.
   *
   * @param nextSequence all writes below this are in memory already
   */
  public void holdOldestSequence(long nextSequence) {
    if (heldFrom == Long.MAX_VALUE) {
      synchronized (oldestSequenceTold) {
        heldFrom = Math.min(heldFrom, Math.min(oldestSequence(), nextSequence));
      }
    }
  }

  private void add(ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format) {
    if (count >= SEGMENT_CELLS_MIN) {
      EncodedCells batch = new EncodedCells(cells, offset, count, firstSequence);
      ImmutableSegment segment = segmentOf(List.of(batch), format, options.activeSealBytes(0) / 2);
      if (segment != null) {
        addSegment(segment);
        return;
      }
    }
    int at = offset;
    int done = 0;
    while (done < count) {
      MutableSegment active = current().active();
      if (!active.enter()) {
        // Sealed, so it was replaced since it was read.
        Thread.onSpinWait();
        continue;
      }
      int inserted;
      try {
        inserted = active.insert(cells, at, count - done, format.sequence(firstSequence, done), format);
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

  /** Returns a segment of a large insertion; null if it is not to have one of its own. */
  private @Nullable ImmutableSegment segmentOf(
      List<EncodedCells> batches, BatchFormat format, long bytesMin) {
    MemStoreOptions options = this.options;
    long cells = 0;
    long bytes = 0;
    for (EncodedCells batch : batches) {
      cells += batch.count();
      bytes += (long) batch.count() * KeyValueLayout.length(batch.cells(), batch.offset());
    }
    if (cells < SEGMENT_CELLS_MIN
        || bytes < bytesMin
        || options.policy().kind() == Policy.NONE
        || options.layout().cells() == CellMemory.OBJECTS) {
      return null;
    }
    boolean sketched = options.policy().kind() == Policy.AUTO;
    return SortedRun.copyOf(batches, format, segmentMemory(), keyPrefix(), sketched);
  }

  /** Puts a segment into the pipeline, behind what is active now, and lets go of it. */
  private void addSegment(ImmutableSegment segment) {
    try {
      putIntoPipeline(segment);
      fitKeyPrefix(segment.fittingPrefix());
      flushedInMemory(segment);
    } finally {
      segment.release();
    }
  }

  private void putIntoPipeline(ImmutableSegment segment) {
    change(
        old -> {
          List<Segment> pipeline = new ArrayList<>(old.pipeline());
          MutableSegment active = old.active();
          if (active.cellCount() == 0) {
            pipeline.add(0, segment);
            return new SegmentList(active, pipeline, old.snapshot());
          }
          pipeline.add(0, active);
          pipeline.add(0, segment);
          return withNewActive(pipeline, old.snapshot());
        });
  }

  /** Returns what a reader sees from now on; to be closed. */
  public MemStoreView view() {
    SegmentList list = retainCurrent();
    MemStoreView view = null;
    try {
      view = new MemStoreView(list, keyPrefix());
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
    MutableSegment active = current().active();
    if (active.entersPipeline() && active.cellCount() > 0) {
      flushInMemory(active);
    }
  }

  /**
   * Moves active segment and pipeline to the snapshot (section 3.1, "Flushes to disk"). If a
   * snapshot stands already, because a flush has failed, that one is returned again.
   *
   * <p>If the host keeps writers out meanwhile, the snapshot holds exactly what was added before.
   */
  public FlushSnapshot snapshot() {
    boolean isNew = !hasSnapshot();
    change(
        old -> {
          if (!old.snapshot().isEmpty()) {
            return old;
          }
          List<Segment> segments = new ArrayList<>(old.pipeline());
          MutableSegment active = old.active();
          if (active.cellCount() == 0) {
            return new SegmentList(active, List.of(), segments);
          }
          segments.add(0, active);
          return withNewActive(List.of(), segments);
        });
    if (isNew) {
      synchronized (oldestSequenceTold) {
        snapshotHeldFrom = heldFrom;
        heldFrom = Long.MAX_VALUE;
      }
    }
    worker.cancel();
    worker.onDiskFlush();
    SegmentList list = retainCurrent();
    try {
      list.snapshot().forEach(MemStore::awaitQuiescence);
      FlushSnapshot snapshot = new FlushSnapshot(list.snapshot(), keyPrefix());
      environment
          .listener()
          .onSnapshot(list.snapshot().size(), snapshot.cellCount(), snapshot.dataBytes());
      return snapshot;
    } finally {
      list.release();
    }
  }

  /** Returns whether a snapshot stands, which {@link #snapshot} would return again. */
  public boolean hasSnapshot() {
    return !current().snapshot().isEmpty();
  }

  /**
   * Returns whether there is no cell in active segment, pipeline and snapshot. Exact only while the
   * host keeps writers out.
   */
  public boolean isEmpty() {
    SegmentList list = retainCurrent();
    try {
      return list.all().stream().allMatch(segment -> segment.cellCount() == 0);
    } finally {
      list.release();
    }
  }

  /** Lets the snapshot go, because its cells are on disk or no longer wanted. */
  public void clearSnapshot() {
    change(
        old -> {
          noteGone(old.snapshot());
          return new SegmentList(old.active(), old.pipeline(), List.of());
        });
    snapshotHeldFrom = Long.MAX_VALUE;
    checkOldestSequence();
  }

  /** Returns all memory charged to this store, in bytes: at least {@link #flushableBytes}. */
  public long usedBytes() {
    return account.usedBytes();
  }

  /**
   * Returns the memory held by what a disk flush would take, in bytes: active segment and pipeline.
   */
  public long flushableBytes() {
    SegmentList list = retainCurrent();
    try {
      return list.active().heldBytes() + heldBytes(list.pipeline());
    } finally {
      list.release();
    }
  }

  /** Returns counts over what a disk flush would take: active segment and pipeline. */
  public FlushableCells flushableCells() {
    SegmentList list = retainCurrent();
    try {
      MutableSegment active = list.active();
      long cells = active.cellCount();
      long dataBytes = active.dataBytes();
      long heldBytes = active.heldBytes();
      for (Segment segment : list.pipeline()) {
        cells += segment.cellCount();
        dataBytes += segment.dataBytes();
        heldBytes += segment.heldBytes();
      }
      return new FlushableCells(active.cellCount(), cells, dataBytes, heldBytes);
    } finally {
      list.release();
    }
  }

  /**
   * Returns the oldest sequence number that is only in memory, over active segment, pipeline and
   * snapshot (section 3.2, "WAL Truncation"), or was when {@link #holdOldestSequence} was called;
   * {@link Long#MAX_VALUE} when there is none. A write that has its sequence number but has not
   * been added yet is the host's to consider.
   */
  public long oldestSequence() {
    SegmentList list = retainCurrent();
    try {
      long oldest = Long.MAX_VALUE;
      for (Segment segment : list.all()) {
        oldest = Math.min(oldest, segment.minSequence());
      }
      // Read after the segments: what an unlogged cell has displaced was held before.
      return Math.min(oldest, Math.min(heldFrom, snapshotHeldFrom));
    } finally {
      list.release();
    }
  }

  /** Returns counters and gauges. */
  public MemStoreStatistics statistics() {
    SegmentList list = retainCurrent();
    try {
      return worker.statistics(inMemoryFlushes.sum(), list, account);
    } finally {
      list.release();
    }
  }

  /**
   * Lets all segments go; what is not on disk is then only in the host's log. The memory comes back
   * when the last view is closed. No other method may be called after it.
   */
  @Override
  public void close() {
    worker.cancel();
    change(
        old -> {
          MutableSegment none = new ObjectSegment(account, 0);
          SegmentList list = new SegmentList(none, List.of(), List.of());
          none.release();
          return list;
        });
    environment.listener().onClose();
  }

  private void flushInMemory(MutableSegment full) {
    boolean swapped =
        change(
            old -> {
              if (old.active() != full) {
                return old;
              }
              if (keyPrefix.get() == null
                  && full instanceof SkipListSegment first
                  && first.cellCount() > 0) {
                fitKeyPrefix(first.fittingPrefix());
              }
              List<Segment> pipeline = new ArrayList<>(old.pipeline());
              pipeline.add(0, full);
              return withNewActive(pipeline, old.snapshot());
            });
    if (swapped) {
      worker.help(full);
      flushedInMemory(full);
    }
  }

  private void flushedInMemory(Segment segment) {
    inMemoryFlushes.increment();
    environment
        .listener()
        .onInMemoryFlush(segment.cellCount(), segment.dataBytes(), pipelineSegments());
    worker.request();
  }

  private static long heldBytes(List<Segment> segments) {
    return segments.stream().mapToLong(Segment::heldBytes).sum();
  }

  /** Makes a list with a new active segment in front. */
  private SegmentList withNewActive(List<Segment> pipeline, List<Segment> snapshot) {
    MutableSegment next = newActive(heldBytes(pipeline));
    SegmentList list = new SegmentList(next, pipeline, snapshot);
    next.release();
    return list;
  }

  /** Makes an active segment; A is a fraction of what the store has grown to beyond its share. */
  private MutableSegment newActive(long pipelineBytes) {
    MemStoreOptions options = this.options;
    if (options.policy().kind() == Policy.NONE) {
      return new ObjectSegment(account, Long.MAX_VALUE);
    }
    long sealBytes = options.activeSealBytes(pipelineBytes);
    if (options.layout().cells() == CellMemory.OBJECTS) {
      return new ObjectSegment(account, sealBytes);
    }
    KeyPrefix known = keyPrefix.get();
    return known == null
        ? new SkipListSegment(
            segmentMemory(), KeyPrefix.UNANCHORED, Math.min(sealBytes, FIRST_SEAL_BYTES))
        : new SkipListSegment(segmentMemory(), known, sealBytes);
  }

  SegmentMemory segmentMemory() {
    return new SegmentMemory(environment.pool(), account, options.layout());
  }

  boolean isInPipeline(Segment segment) {
    return current().pipeline().contains(segment);
  }

  int pipelineSegments() {
    return current().pipeline().size();
  }

  /** Notes segments whose cells leave memory. */
  void noteGone(List<? extends Segment> segments) {
    for (Segment segment : segments) {
      highestGone.accumulateAndGet(segment.maxSequence(), Math::max);
    }
  }

  /** Tells the listener when the oldest sequence number has risen. */
  void checkOldestSequence() {
    long oldest = oldestSequence();
    if (oldest == Long.MAX_VALUE) {
      // An empty store may get any number above those that it had.
      oldest = highestGone.get() + 1;
    }
    long told = oldestSequenceTold.getAndAccumulate(oldest, Math::max);
    if (oldest > told) {
      environment.listener().onOldestSequence(oldest);
    }
  }

  KeyPrefix keyPrefix() {
    KeyPrefix known = keyPrefix.get();
    return known == null ? KeyPrefix.UNANCHORED : known;
  }

  /** Learns from a segment's rows what all have in common. */
  void fitKeyPrefix(KeyPrefix fitting) {
    keyPrefix.updateAndGet(known -> known == null ? fitting : known.commonWith(fitting));
  }

  VersionRules versionRules() {
    return options.versionRules();
  }

  /**
   * Returns what decides in a compaction of neighbours in the pipeline that begins now; null when
   * nothing may be dropped.
   *
   * <p>Segments of concurrent writers overlap: who was overtaken adds to a newer segment than those
   * who wrote later. So another segment may hold a marker that was written between two puts of the
   * compaction and hides the first, which then must not count against the second.
   */
  @Nullable CellFilter newCompactionFilter(List<? extends Segment> sources) {
    UnseenHistory unseen = new UnseenHistory(environment.smallestReadPoint().getAsLong());
    long first = sources.stream().mapToLong(Segment::minSequence).min().orElseThrow();
    boolean newer = true;
    SegmentList list = retainCurrent();
    try {
      for (Segment segment : list.all()) {
        if (sources.contains(segment)) {
          newer = false;
        } else if (newer) {
          unseen.addNewer(segment);
        } else {
          unseen.addOlder(segment, first);
        }
      }
    } finally {
      list.release();
    }
    return compactionRules.newFilter(unseen.settledUpTo(), unseen.countedAbove());
  }

  private CellFilter versionFilter(long settledUpTo, long countedAbove) {
    // Markers stay: sorted tables may hold what they hide.
    return new RetentionFilter(
        options.versionRules(),
        countedAbove,
        settledUpTo,
        environment.clockMillis().getAsLong(),
        0);
  }

  SegmentList retainCurrent() {
    while (true) {
      SegmentList list = current();
      if (list.tryRetain()) {
        return list;
      }
    }
  }

  /**
   * Swaps the list for an edited clone, again until no other change comes between. An active
   * segment that the edit replaces is sealed only after the swap: until then, anything that fails,
   * such as an allocation, must leave writers a segment that lets them in.
   *
   * @param edit returns a new list, or the one it was given to leave it; must not seal
   * @return whether the list was changed
   */
  boolean change(UnaryOperator<SegmentList> edit) {
    while (true) {
      SegmentList old = retainCurrent();
      try {
        SegmentList next = edit.apply(old);
        if (next == old) {
          return false;
        }
        if (current.compareAndSet(old, next)) {
          if (next.active() != old.active()) {
            old.active().seal();
          }
          old.release();
          return true;
        }
        next.release();
      } finally {
        old.release();
      }
    }
  }

  /** Waits for writers inside a sealed segment, who are there for the length of a batch. */
  static void awaitQuiescence(Segment segment) {
    if (segment instanceof MutableSegment sealed) {
      while (!sealed.isQuiescent()) {
        Thread.yield();
      }
    }
  }

  private SegmentList current() {
    return Objects.requireNonNull(current.get());
  }
}
