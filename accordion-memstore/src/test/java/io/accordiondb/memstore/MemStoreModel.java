// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.MemoryBudget;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellReading;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.EncodedCells;
import io.accordiondb.encoding.ModelCell;
import io.accordiondb.memstore.layout.SegmentLayout;
import io.accordiondb.memstore.segment.SegmentFixture;
import io.accordiondb.retention.FilteredCells;
import io.accordiondb.retention.KeepDeletedCells;
import io.accordiondb.retention.ReadRequest;
import io.accordiondb.retention.VersionRules;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.LongStream;

/**
 * A memory store beside a list of all cells that it should hold, with the part of its host played
 * by hand: sequence numbers, read points, and when background work runs.
 */
final class MemStoreModel {
  private static final int TIMESTAMP_MAX = 4;
  private static final int LATE_MAX = 2;

  /** A view, and what it showed when it was opened. */
  private record OpenView(MemStoreView view, long readPoint, long now, List<ModelCell> shown) {}

  private final ChunkPool pool;
  private final MemoryBudget budget = new MemoryBudget(1 << 28);
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final List<OpenView> views = new ArrayList<>();

  /**
   * All that was added since the last snapshot, and what was added before it and is not cleared.
   */
  private final List<ModelCell> added = new ArrayList<>();

  private final List<ModelCell> snapshotted = new ArrayList<>();

  /** Batches that have their sequence numbers, but whose writers have not added them yet. */
  private final Deque<List<ModelCell>> late = new ArrayDeque<>();

  private final MemStore store;
  private final VersionRules rules;

  /** Whether cells expire by themselves, and time passes. */
  private final boolean cellsExpire;

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
    this.pool = pool;
    this.layout = layout;
    Executor executor = direct ? Runnable::run : tasks::add;
    this.rules = rules;
    this.cellsExpire =
        rules.keepDeleted() == KeepDeletedCells.FALSE && rules.maxVersions() < TIMESTAMP_MAX;
    this.store =
        new MemStore(
            options(policy),
            new MemStoreEnvironment(
                executor,
                () -> now,
                this::smallestReadPoint,
                new Random(1),
                pool,
                budget,
                MemStoreListener.NONE));
    setPolicy(policy);
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
    if (cellsExpire && random.nextInt(4) == 0) {
      now++;
    }
    // Sometimes enough cells to become a segment, in order or not, in one batch or two.
    boolean large = random.nextInt(60) == 0;
    int count = large ? 1100 : 1 + random.nextInt(80);
    boolean ascending = random.nextBoolean();
    List<ModelCell> batch = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      batch.add(
          large && ascending
              ? ModelCell.put(String.format("row-%04d", i), "q", 1, 0, "v")
              : randomCell(random));
    }
    if (ascending) {
      batch.sort(null);
    }
    batch.replaceAll(cell -> cell.withSequence(++lastSequence));
    if (late.size() < LATE_MAX && random.nextInt(4) == 0) {
      late.add(batch);
      return;
    }
    if (large && random.nextBoolean()) {
      int half = count / 2;
      Runnable adding =
          store.prepare(
              List.of(cellBatch(batch.subList(0, half)), cellBatch(batch.subList(half, count))));
      checkContents();
      adding.run();
      added.addAll(batch);
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
    added.addAll(batch);
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

  private ModelCell randomCell(Random random) {
    CellType type = random.nextInt(8) == 0 ? randomMarker(random) : CellType.PUT;
    boolean ofFamily = type == CellType.DELETE_FAMILY || type == CellType.DELETE_FAMILY_VERSION;
    int valueBytes = random.nextInt(200) == 0 ? 5000 : random.nextInt(30);
    ModelCell cell =
        new ModelCell(
            "row-" + random.nextInt(40),
            "",
            ofFamily || random.nextBoolean() ? "" : "q",
            1 + random.nextInt(TIMESTAMP_MAX),
            type,
            0,
            type == CellType.PUT ? "v".repeat(valueBytes) : "");
    boolean expires = cellsExpire && type == CellType.PUT && random.nextInt(4) == 0;
    return expires ? cell.withTtl(1 + random.nextInt(6)) : cell;
  }

  /** Returns a marker; one of an exact version only if no version is dropped for being one more. */
  private CellType randomMarker(Random random) {
    CellType type = SegmentFixture.PUT_AND_MARKERS.get(1 + random.nextInt(4));
    boolean exact = type == CellType.DELETE || type == CellType.DELETE_FAMILY_VERSION;
    return exact && rules.maxVersions() < TIMESTAMP_MAX ? CellType.DELETE_COLUMN : type;
  }

  void flushInMemory() {
    store.flushInMemory();
  }

  void runBackground() {
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
  }

  /** Takes a snapshot, as a host does that keeps writers out meanwhile. */
  void snapshot() {
    while (!late.isEmpty()) {
      addLate();
    }
    FlushSnapshot snapshot = store.snapshot();
    if (snapshotted.isEmpty()) {
      snapshotted.addAll(added);
      added.clear();
    }
    List<ModelCell> cells = CellReading.readAll(snapshot.sources());
    assertHolds(cells, snapshotted, visible());
    assertThat(snapshot.isEmpty()).isEqualTo(cells.isEmpty());
    assertThat(snapshot.cellCount()).isEqualTo(cells.size());
    assertThat(snapshot.dataBytes()).isEqualTo(cells.stream().mapToLong(ModelCell::length).sum());
    assertThat(snapshot.minSequence())
        .isEqualTo(cells.stream().mapToLong(ModelCell::sequence).min().orElse(Long.MAX_VALUE));
    assertThat(snapshot.maxSequence())
        .isEqualTo(cells.stream().mapToLong(ModelCell::sequence).max().orElse(0));
    assertThat(snapshot.sources()).allMatch(source -> source.cellCount() > 0);
  }

  void clearSnapshot() {
    store.clearSnapshot();
    snapshotted.clear();
  }

  void openView() {
    MemStoreView view = store.view();
    List<ModelCell> all = all();
    List<ModelCell> shown = read(all, visible(), now);
    views.add(new OpenView(view, visible(), now, shown));
    assertHolds(CellReading.readAll(view.sources()), all, visible());
  }

  void closeView(int number) {
    if (!views.isEmpty()) {
      OpenView open = views.remove(number % views.size());
      assertUnchanged(open);
      open.view().close();
      open.view().close();
    }
  }

  /** Checks that views show what they showed, and that no cell that is needed is gone. */
  void checkContents() {
    views.forEach(this::assertUnchanged);
    List<ModelCell> all = all();
    long oldestSeen =
        read(all, visible(), now).stream()
            .mapToLong(ModelCell::sequence)
            .min()
            .orElse(Long.MAX_VALUE);
    assertThat(store.oldestSequence()).isLessThanOrEqualTo(oldestSeen);
  }

  /** Checks what is cheap to check at any time. */
  void checkCounts() {
    long oldest =
        LongStream.concat(
                snapshotted.stream().mapToLong(ModelCell::sequence),
                added.stream().mapToLong(ModelCell::sequence))
            .min()
            .orElse(Long.MAX_VALUE);
    long cells = snapshotted.size() + added.size();
    MemStoreStatistics statistics = store.statistics();
    if (dropsCells) {
      assertThat(store.oldestSequence()).isGreaterThanOrEqualTo(oldest);
      assertThat(statistics.cells()).isLessThanOrEqualTo(cells);
    } else {
      assertThat(store.oldestSequence()).isEqualTo(oldest);
      assertThat(statistics.cells()).isEqualTo(cells);
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
    runBackground();
    checkCounts();
    assertThat(store.usedBytes()).isPositive();
    openView();
    store.close();
    closeView(0);
    assertThat(store.usedBytes()).isZero();
    assertThat(budget.usedBytes()).isZero();
    assertThat(pool.chunksInUse()).isZero();
  }

  private void assertHolds(List<ModelCell> held, List<ModelCell> expected, long readPoint) {
    if (dropsCells) {
      Set<ModelCell> distinct = new HashSet<>(held);
      assertThat(distinct).hasSameSizeAs(held);
      assertThat(new HashSet<>(expected).containsAll(distinct)).isTrue();
    } else {
      assertThat(held).isEqualTo(expected.stream().sorted().toList());
    }
    assertThat(read(held, readPoint, now)).isEqualTo(read(expected, readPoint, now));
  }

  private void assertUnchanged(OpenView open) {
    assertThat(read(CellReading.readAll(open.view().sources()), open.readPoint(), open.now()))
        .isEqualTo(open.shown());
  }

  private List<ModelCell> read(List<ModelCell> cells, long readPoint, long time) {
    return new FilteredCells(cells).read(rules, ReadRequest.allAt(readPoint, time));
  }

  private List<ModelCell> all() {
    List<ModelCell> all = new ArrayList<>(snapshotted);
    all.addAll(added);
    return all;
  }

  private long smallestReadPoint() {
    return views.stream().mapToLong(OpenView::readPoint).min().orElse(visible());
  }

  /** Returns the sequence number up to which all has been added. */
  private long visible() {
    return late.isEmpty() ? lastSequence : late.peek().get(0).sequence() - 1;
  }
}
