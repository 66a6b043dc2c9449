// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.FreeMemory;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.HostRules;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import io.accordiondb.retention.UnseenHistory;
import io.accordiondb.retention.VersionRules;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A memory store beside a list of all that was written to it, with the part of its host played by
 * hand: sequence numbers, read points, when background work runs, the log, and the files into which
 * snapshots go.
 */
final class MemStoreModel {
  private static final int LATE_MAX = 2;

  /** A crash is tried at one check in this many. */
  private static final int CHECKS_BY_CRASH = 3;

  private static final String INJECTED = "injected";

  private final ChunkPool pool;
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final OpenViews views;

  /**
   * All that was added since the last snapshot, and what was added before it and is not cleared.
   */
  private final ModelContents added = new ModelContents();

  private final ModelContents snapshotted = new ModelContents();

  /** What was cleared, and what the files hold of it. */
  private final ModelContents cleared = new ModelContents();

  private final ModelContents files = new ModelContents();

  /** A replay of the log skips what is not above this. */
  private long flushedSequence;

  /** Batches that have their sequence numbers, but whose writers have not added them yet. */
  private final Deque<List<ModelCell>> late = new ArrayDeque<>();

  private final MemStore store;
  private final VersionRules rules;

  private final RandomCells cells;

  /** Decides what happens in the middle of background work; null for nothing. */
  private final @Nullable Random interruptions;

  private int checks;
  private boolean interruptible;
  private @Nullable Throwable failure;

  private long now;
  private SegmentLayout layout;
  private long lastSequence;

  /** Whether any policy that drops cells was ever in force. */
  private boolean dropsCells;

  /**
   * Creates an empty memory store.
   *
   * @param pool where it takes chunks from
   * @param direct whether background work runs at once, or when {@link #runBackground} is called
   */
  MemStoreModel(
      ChunkPool pool,
      MemStorePolicy policy,
      SegmentLayout layout,
      VersionRules rules,
      boolean direct) {
    this(pool, policy, layout, rules, direct, null);
  }

  /**
   * Creates an empty memory store, in whose background work other things happen.
   *
   * @param interruptions decides which, and when; null for nothing
   */
  MemStoreModel(
      ChunkPool pool,
      MemStorePolicy policy,
      SegmentLayout layout,
      VersionRules rules,
      boolean direct,
      @Nullable Random interruptions) {
    this.pool = pool;
    this.interruptions = interruptions;
    this.layout = layout;
    Executor executor = direct ? Runnable::run : tasks::add;
    this.rules = rules;
    this.cells = new RandomCells(rules);
    this.views = new OpenViews(rules);
    this.store =
        new MemStore(
            options(policy),
            new MemStoreEnvironment(
                executor,
                () -> now,
                new ReadersOfViews(),
                new Random(1),
                pool,
                budget,
                new Failures()),
            interruptions == null || interruptions.nextBoolean() ? null : this::interruptedFilter);
    store.setOlderRows(this::isInFiles);
    setPolicy(policy);
  }

  private boolean isInFiles(ByteBuffer cell, int offset) {
    String row = ModelCell.read(cell, offset, 0).row();
    return files.cells.stream().anyMatch(other -> other.row().equals(row));
  }

  private MemStoreOptions options(MemStorePolicy policy) {
    return new MemStoreOptions(policy, rules, 1, layout);
  }

  void setPolicy(MemStorePolicy policy) {
    store.setOptions(options(policy));
    dropsCells |= policy.kind() != Policy.NONE && policy.kind() != Policy.BASIC;
  }

  /** Changes policy and layout. */
  void setOptions(MemStorePolicy policy, SegmentLayout layout) {
    this.layout = layout;
    setPolicy(policy);
  }

  void add(Random random) {
    if ((cells.expire() || rules.ttlMillis() != VersionRules.FOREVER) && random.nextInt(4) == 0) {
      now++;
    }
    // Sometimes enough cells to become a segment, in one batch or two.
    boolean large = random.nextInt(60) == 0;
    List<ModelCell> batch = large ? cells.largeBatch(random) : cells.batch(random);
    batch.replaceAll(cell -> cell.withSequence(++lastSequence));
    if (late.size() < LATE_MAX && random.nextInt(4) == 0) {
      late.add(batch);
      return;
    }
    if (large && random.nextBoolean()) {
      int half = batch.size() / 2;
      Runnable adding =
          store.prepare(
              List.of(
                  cellBatch(batch.subList(0, half)), cellBatch(batch.subList(half, batch.size()))));
      checkContents();
      adding.run();
      added.cells.addAll(batch);
    } else {
      add(batch);
    }
  }

  /** Adds a batch that was overtaken by others, if there is one. */
  void addLate() {
    if (!late.isEmpty()) {
      add(late.remove());
    }
  }

  private void add(List<ModelCell> batch) {
    EncodedCells cells = cellBatch(batch);
    store.add(cells.cells(), 0, cells.count(), cells.firstSequence(), cells.format());
    added.cells.addAll(batch);
  }

  void deleteRange(Random random) {
    RangeTombstone range = cells.range(random, ++lastSequence);
    store.deleteRange(range);
    if (range.end().length == 0 || Arrays.compareUnsigned(range.start(), range.end()) < 0) {
      added.deleted.add(range);
    }
  }

  private static EncodedCells cellBatch(List<ModelCell> cells) {
    boolean tagged = cells.stream().anyMatch(ModelCell::hasTtl);
    return new EncodedCells(
        tagged ? ModelCell.encodeTagged(cells) : ModelCell.encode(cells),
        0,
        cells.size(),
        cells.get(0).sequence(),
        BatchFormat.numbered(tagged));
  }

  void flushInMemory() {
    store.flushInMemory();
  }

  void mergePipeline() {
    store.mergePipeline();
  }

  void runBackground() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      interruptible = true;
      task.run();
      interruptible = false;
    }
    assertThat(failure).isNull();
  }

  /** Notes what background work has thrown, which its thread survives. */
  private final class Failures implements MemStoreListener {
    @Override
    public void onFailure(Throwable thrown) {
      if (!INJECTED.equals(thrown.getMessage()) && failure == null) {
        failure = thrown;
      }
    }
  }

  private CellFilter interruptedFilter(UnseenHistory unseen) {
    CellFilter filter = HostRules.filter(rules, unseen, now);
    return (buffer, offset, length, sequence) -> {
      interrupt(300);
      return filter.keeps(buffer, offset, length, sequence);
    };
  }

  /** Does something that another thread may do at this moment, once in a number of calls. */
  private void interrupt(int calls) {
    if (interruptions == null || !interruptible || interruptions.nextInt(calls) != 0) {
      return;
    }
    interruptible = false;
    try {
      interrupt(interruptions);
      checkContents();
    } finally {
      interruptible = true;
    }
  }

  private void interrupt(Random random) {
    switch (random.nextInt(16)) {
      case 0, 1, 2, 3 -> add(random);
      case 4 -> addLate();
      case 5, 6 -> flushInMemory();
      case 7, 8 -> snapshot();
      case 9 -> clearSnapshot();
      case 10 -> openView();
      case 11 -> closeView(random.nextInt(100));
      case 12 -> deleteRange(random);
      case 13 -> mergePipeline();
      case 14 -> budget.resize(1 + random.nextInt(1 << 20));
      default -> throw new IllegalStateException(INJECTED);
    }
  }

  /** Takes a snapshot, as a host does that keeps writers out meanwhile. */
  void snapshot() {
    while (!late.isEmpty()) {
      addLate();
    }
    if (!store.hasSnapshot()) {
      // The last one may have been empty because compactions had dropped all of its cells.
      cleared.addAll(snapshotted);
      snapshotted.clear();
    }
    FlushSnapshot snapshot = store.snapshot();
    if (snapshotted.isEmpty()) {
      snapshotted.addAll(added);
      added.clear();
    }
    ModelContents held = contentsOf(snapshot);
    assertHolds(held.cells, snapshotted.cells);
    assertThat(read(held.and(files), visible(), now))
        .isEqualTo(read(snapshotted.and(cleared), visible(), now));
    assertThat(snapshot.isEmpty()).isEqualTo(held.isEmpty());
    assertThat(snapshot.cellCount()).isEqualTo(held.cells.size());
    assertThat(snapshot.dataBytes())
        .isEqualTo(held.cells.stream().mapToLong(ModelCell::length).sum());
    assertThat(snapshot.minSequence())
        .isEqualTo(held.cells.stream().mapToLong(ModelCell::sequence).min().orElse(Long.MAX_VALUE));
    assertThat(snapshot.maxSequence()).isEqualTo(held.sequences().max().orElse(0));
    assertThat(snapshot.sources()).allMatch(source -> source.cellCount() > 0);
  }

  private static ModelContents contentsOf(FlushSnapshot snapshot) {
    return ModelContents.of(
        CellReading.readAll(snapshot.sources()), snapshot.rangeTombstones().toList());
  }

  /** Puts the snapshot, if there is one, into the files, and clears it. */
  void clearSnapshot() {
    if (store.hasSnapshot()) {
      FlushSnapshot snapshot = store.snapshot();
      files.addAll(contentsOf(snapshot));
      flushedSequence = Math.max(flushedSequence, snapshot.maxSequence());
    }
    store.clearSnapshot();
    cleared.addAll(snapshotted);
    snapshotted.clear();
  }

  void openView() {
    MemStoreView view = store.view();
    ModelContents beside = files.and(ModelContents.of(List.of(), deletedInMemory()));
    List<ModelCell> shown = read(all(), visible(), now);
    views.add(view, beside, visible(), now, shown);
    assertHolds(CellReading.readAll(view.sources()), snapshotted.and(added).cells);
  }

  private List<RangeTombstone> deletedInMemory() {
    SegmentList list = store.segments().get();
    List<RangeTombstone> deleted = new ArrayList<>(list.ranges().toList());
    deleted.addAll(list.snapshotRanges().toList());
    return deleted;
  }

  void closeView(int number) {
    views.close(number);
  }

  /** Checks that views show what they showed, and that no cell that is needed is gone. */
  void checkContents() {
    FreeMemory.spoil(pool);
    views.check();
    List<ModelCell> seen = read(all(), visible(), now);
    try (MemStoreView view = store.view()) {
      ModelContents memory = ModelContents.of(CellReading.readAll(view.sources()), List.of());
      memory.deleted.addAll(deletedInMemory());
      ModelContents left = memory.and(files);
      assertThat(read(left, visible(), now)).isEqualTo(seen);
      for (long readPoint : views.readPoints()) {
        assertThat(read(left, readPoint, now)).isEqualTo(read(all(), readPoint, now));
      }
    }
    if (++checks % CHECKS_BY_CRASH == 0) {
      assertThat(read(afterCrash(), visible(), now)).isEqualTo(seen);
    }
  }

  /** Returns what is there after a crash: the files, and what a replay finds in the log. */
  private ModelContents afterCrash() {
    long oldest = Math.min(store.oldestSequence(), visible() + 1);
    // The log is truncated by whole files, so it may begin earlier.
    long first = Math.max(0, oldest - oldest * now % 50);
    return files.and(all().from(Math.max(first, flushedSequence + 1)));
  }

  /** Checks what is cheap to check at any time. */
  void checkCounts() {
    ModelContents memory = snapshotted.and(added);
    long oldest = memory.sequences().min().orElse(Long.MAX_VALUE);
    long cells = memory.cells.size();
    MemStoreStatistics statistics = store.statistics();
    if (dropsCells) {
      assertThat(statistics.cells()).isLessThanOrEqualTo(cells);
    } else {
      assertThat(statistics.cells()).isEqualTo(cells);
    }
    if (dropsCells || !memory.deleted.isEmpty()) {
      assertThat(store.oldestSequence()).isGreaterThanOrEqualTo(oldest);
    } else {
      assertThat(store.oldestSequence()).isEqualTo(oldest);
    }
    assertThat(store.usedBytes())
        .isEqualTo(budget.usedBytes())
        .isEqualTo(statistics.usedBytes())
        .isGreaterThanOrEqualTo(store.flushableBytes());
    if (views.isEmpty() && snapshotted.isEmpty()) {
      assertThat(store.usedBytes()).isEqualTo(store.flushableBytes());
    }
  }

  /** Ends everything and checks that all memory has come back. */
  void finish() {
    runBackground();
    checkCounts();
    checkContents();
    snapshot();
    clearSnapshot();
    snapshot();
    clearSnapshot();
    while (!views.isEmpty()) {
      closeView(0);
    }
    assertThat(store.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
    assertThat(store.oldestSequence()).isEqualTo(Long.MAX_VALUE);

    add(new Random(lastSequence));
    addLate();
    // All the others may have expired, and a compaction may drop them.
    add(List.of(cells.newest(now).withSequence(++lastSequence)));
    runBackground();
    checkCounts();
    assertThat(store.usedBytes()).isPositive();
    openView();
    store.close();
    // An interruption may have opened another one.
    while (!views.isEmpty()) {
      closeView(0);
    }
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  private void assertHolds(List<ModelCell> held, List<ModelCell> expected) {
    if (dropsCells) {
      Set<ModelCell> distinct = new HashSet<>(held);
      assertThat(distinct).hasSameSizeAs(held);
      assertThat(new HashSet<>(expected).containsAll(distinct)).isTrue();
    } else {
      assertThat(held).isEqualTo(expected.stream().sorted().toList());
    }
  }

  private List<ModelCell> read(ModelContents contents, long readPoint, long time) {
    return contents.read(rules, readPoint, time);
  }

  /** Returns all that was ever written. */
  private ModelContents all() {
    return cleared.and(snapshotted).and(added);
  }

  /** Any reader may open now, and one with the read point of a view while the view is open. */
  private final class ReadersOfViews implements Readers {
    @Override
    public long smallestReadPoint() {
      return readPoints().smallest();
    }

    @Override
    public ReadPointSet readPoints() {
      interrupt(3);
      return ReadPointSet.of(views.readPoints(), visible());
    }
  }

  /** Returns the sequence number up to which all has been added. */
  private long visible() {
    return late.isEmpty() ? lastSequence : late.peek().get(0).sequence() - 1;
  }
}
