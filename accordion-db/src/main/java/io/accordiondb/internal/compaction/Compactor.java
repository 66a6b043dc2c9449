// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.CompactionStyle;
import io.accordiondb.encoding.MergingCursor;
import io.accordiondb.event.CompactionEvent;
import io.accordiondb.internal.function.IoSupplier;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.metrics.Tally;
import io.accordiondb.internal.metrics.Telemetry;
import io.accordiondb.internal.region.FileChange;
import io.accordiondb.internal.region.FileRecorder;
import io.accordiondb.internal.region.SortedRuns;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreFiles.Layout;
import io.accordiondb.internal.region.StoreFilters;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableOrigin;
import io.accordiondb.internal.region.WriteThrottle;
import io.accordiondb.memstore.MemStoreView;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.RangeTombstones;
import io.accordiondb.retention.ReadPointSet;
import io.accordiondb.retention.Readers;
import io.accordiondb.retention.UnseenHistory;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted tables of a store. Thread-safe if only one compaction at a time runs on a store;
 * flushes may run at the same time.
 */
public final class Compactor {
  /** The number of files of a store at which its compactions are no longer delayed. */
  public static final int FILES_URGENT = 16;

  private final StoreFiles files;
  private final Manifest manifest;
  private final FileRecorder recorder;
  private final Readers readers;
  private final LongSupplier clockMillis;
  private final RateLimiter limiter;
  private final Supplier<LeveledPicker> leveledPicker;
  private final Telemetry telemetry;
  private final AtomicInteger running = new AtomicInteger();

  /** Creates a compactor of all stores of a database. */
  public Compactor(
      StoreFiles files,
      Manifest manifest,
      Readers readers,
      LongSupplier clockMillis,
      RateLimiter limiter,
      Supplier<LeveledPicker> leveledPicker,
      Telemetry telemetry) {
    this.telemetry = telemetry;
    this.leveledPicker = leveledPicker;
    this.limiter = limiter;
    this.files = files;
    this.manifest = manifest;
    this.recorder = new FileRecorder(files, manifest);
    this.readers = readers;
    this.clockMillis = clockMillis;
  }

  /**
   * Merges the files that the compaction style of the store's family selects, if any.
   *
   * @param picker chooses among the sizes of all runs, in the order of their age, unless the family
   *     is leveled
   */
  public Compacted minor(
      Store store, Function<List<Long>, CompactionPicker.Run> picker, BooleanSupplier cancelled)
      throws IOException {
    return compact(store, (all, deleted) -> choose(store, all, picker), cancelled);
  }

  /**
   * Rewrites the oldest view as a file of the store's own. If no other view refers to the file
   * behind it, that file can then be deleted.
   */
  public Compacted rewriteView(Store store, BooleanSupplier cancelled) throws IOException {
    return rewriteOldest(store, file -> file.record().view() != null, cancelled);
  }

  /** Rewrites one file, if the store still has it. */
  public Compacted rewrite(Store store, long fileNumber, BooleanSupplier cancelled)
      throws IOException {
    return rewriteOldest(store, file -> file.fileNumber() == fileNumber, cancelled);
  }

  /** Drops files all of whose cells range tombstones cover, without reading the cells. */
  public Compacted dropDeleted(Store store, BooleanSupplier cancelled) throws IOException {
    return compact(
        store,
        (all, deleted) ->
            new Choice(
                allOf(all).stream().filter(i -> deleted.coversAllOf(all.get(i))).toList(),
                Layout.ONE_TABLE),
        cancelled);
  }

  /** Returns the lowest read point of all readers; a compaction applies no later tombstone. */
  public long smallestReadPoint() {
    return readers.smallestReadPoint();
  }

  /** Returns whether the store has a file of which nothing is left. */
  public boolean hasExpired(Store store) {
    return expired(store).any(store);
  }

  /**
   * Rewrites the oldest file of which nothing is left, as nothing. A store that nobody writes to is
   * not compacted otherwise, so its space would never be free again.
   */
  public Compacted dropExpired(Store store, BooleanSupplier cancelled) throws IOException {
    return rewriteOldest(store, expired(store)::has, cancelled);
  }

  private ExpiredFiles expired(Store store) {
    return ExpiredFiles.of(
        store.descriptor(), clockMillis.getAsLong(), readers.smallestReadPoint());
  }

  /** Rewrites the oldest file that passes a test, by itself, in its level. */
  private Compacted rewriteOldest(Store store, Predicate<StoreFile> test, BooleanSupplier cancelled)
      throws IOException {
    return compact(
        store,
        (all, deleted) -> {
          for (int i = all.size() - 1; i >= 0; i--) {
            StoreFile file = all.get(i);
            if (test.test(file)) {
              return new Choice(List.of(i), new Layout(file.record().level(), Long.MAX_VALUE));
            }
          }
          return Choice.NONE;
        },
        cancelled);
  }

  /** Merges all files, and drops the delete markers that have nothing left to hide. */
  public Compacted major(Store store, BooleanSupplier cancelled) throws IOException {
    return compact(
        store, (all, deleted) -> new Choice(allOf(all), layoutOfAll(store, all)), cancelled);
  }

  private Layout layoutOfAll(Store store, List<StoreFile> all) {
    if (!isLeveled(store)) {
      return Layout.ONE_TABLE;
    }
    LeveledPicker picker = leveledPicker.get();
    return new Layout(picker.bottomLevel(factsOf(all)), picker.fileBytes());
  }

  private Choice choose(
      Store store, List<StoreFile> all, Function<List<Long>, CompactionPicker.Run> picker) {
    if (store.descriptor().compactionStyle() == CompactionStyle.NONE) {
      return Choice.NONE;
    }
    if (isLeveled(store)) {
      LeveledPicker leveled = leveledPicker.get();
      LeveledPicker.Pick pick = leveled.pick(factsOf(all));
      return new Choice(pick.inputs(), new Layout(pick.level(), leveled.fileBytes()));
    }
    if (all.stream().anyMatch(file -> file.record().level() > 0)) {
      // The family was leveled before, so its files are not ordered by size.
      return new Choice(allOf(all), Layout.ONE_TABLE);
    }
    long levelFileBytes = leveledPicker.get().fileBytes();
    List<List<StoreFile>> runs = SortedRuns.ofMerges(all, store.descriptor(), levelFileBytes);
    CompactionPicker.Run run = picker.apply(SortedRuns.bytesOf(runs));
    int from = runs.subList(0, run.from()).stream().mapToInt(List::size).sum();
    int to = from + runs.subList(run.from(), run.to()).stream().mapToInt(List::size).sum();
    return new Choice(IntStream.range(from, to).boxed().toList(), Layout.ONE_TABLE);
  }

  private static List<Integer> allOf(List<StoreFile> files) {
    return IntStream.range(0, files.size()).boxed().toList();
  }

  private static boolean isLeveled(Store store) {
    return store.descriptor().compactionStyle() == CompactionStyle.LEVELED;
  }

  private static List<LeveledPicker.File> factsOf(List<StoreFile> files) {
    return files.stream()
        .map(
            file ->
                new LeveledPicker.File(
                    file.record().level(), file.bytes(), file.maxSequence(), RowRange.of(file)))
        .toList();
  }

  /**
   * What one compaction merges.
   *
   * @param inputs positions among the store's files
   * @param layout of the new files
   */
  private record Choice(List<Integer> inputs, Layout layout) {
    static final Choice NONE = new Choice(List.of(), Layout.ONE_TABLE);
  }

  private Compacted compact(
      Store store,
      BiFunction<List<StoreFile>, AppliedTombstones, Choice> chooser,
      BooleanSupplier cancelled)
      throws IOException {
    // Get time, read points, memory and files in this order. Then a marker that is missed was
    // written behind what has expired by this time, every cell below a read point is in memory or
    // in a file, and the cells of a flush that ends in between are seen twice rather than missed.
    long nowMillis = clockMillis.getAsLong();
    ReadPointSet readPoints = readers.readPoints();
    StoreFilters filters = new StoreFilters(store);
    UnseenHistory unseen = filters.unseenHistory(readPoints);
    try (MemStoreView memory = store.memStore().view()) {
      memory.sources().forEach(unseen::addNewer);
      unseen.addRanges(memory.deletedRanges());
    }
    RangeTombstones ranges = store.fileRanges();
    unseen.addApplied(ranges.maxSequence());
    AppliedTombstones deleted = new AppliedTombstones(ranges, readPoints.smallest());
    List<StoreFile> all = store.retainedFiles();
    try {
      Choice choice = chooser.apply(all, deleted);
      if (choice.inputs.isEmpty()) {
        return Compacted.NOTHING;
      }
      addUnseenFiles(all, choice.inputs, unseen);
      CellFilter filter = filters.ofCompaction(unseen, nowMillis);
      List<StoreFile> inputs = choice.inputs.stream().map(all::get).toList();
      return compactObserved(
          store, inputs, () -> compact(store, inputs, filter, deleted, choice.layout, cancelled));
    } finally {
      Store.release(all);
    }
  }

  /** Runs a compaction, and reports its beginning and its outcome. */
  private Compacted compactObserved(
      Store store, List<StoreFile> inputs, IoSupplier<Compacted> compaction) throws IOException {
    Compacted planned = new Compacted(inputs.size(), StoreFile.bytesOf(inputs), 0, 0);
    long begun = System.nanoTime();
    Tally tally = telemetry.operations().tally();
    telemetry.compactionBegins(event(store, planned, 0, false, null));
    running.incrementAndGet();
    tally.setCompacting(true);
    Compacted done;
    try {
      done = compaction.get();
    } catch (IOException | RuntimeException | Error e) {
      telemetry.corruptions().check(e);
      tellEnd(store, planned, begun, false, e);
      throw e;
    } finally {
      tally.setCompacting(false);
      running.decrementAndGet();
    }
    boolean givenUp = done.files() == 0;
    tellEnd(store, givenUp ? planned : done, begun, givenUp, null);
    return done;
  }

  private void tellEnd(
      Store store, Compacted compacted, long begun, boolean givenUp, @Nullable Throwable failure) {
    try {
      telemetry.compactionEnds(
          event(store, compacted, System.nanoTime() - begun, givenUp, failure));
    } catch (OutOfMemoryError e) {
      // The report is lost, but the outcome of the compaction is valid.
    }
  }

  private static CompactionEvent event(
      Store store, Compacted compacted, long nanos, boolean givenUp, @Nullable Throwable failure) {
    return new CompactionEvent(
        store.tableName(),
        store.descriptor().name(),
        store.id().regionId(),
        compacted.files(),
        compacted.bytesRead(),
        compacted.filesWritten(),
        compacted.bytesWritten(),
        nanos,
        givenUp,
        failure);
  }

  /** Returns how many compactions run now. */
  public int running() {
    return running.get();
  }

  /** Adds the files that are not merged and may share rows with the merged files. */
  private static void addUnseenFiles(
      List<StoreFile> all, List<Integer> inputs, UnseenHistory unseen) {
    RowRange rows =
        inputs.stream().map(i -> RowRange.of(all.get(i))).reduce(RowRange::with).orElseThrow();
    long firstSequence =
        inputs.stream().mapToLong(i -> all.get(i).record().minSequence()).min().orElseThrow();
    int newest = Collections.min(inputs);
    for (int i = 0; i < all.size(); i++) {
      StoreFile file = all.get(i);
      if (inputs.contains(i) || !rows.overlaps(RowRange.of(file))) {
        continue;
      }
      if (i < newest) {
        unseen.addNewer(file.source(false));
      } else {
        unseen.addOlder(file.source(false), firstSequence);
      }
    }
  }

  private Compacted compact(
      Store store,
      List<StoreFile> inputs,
      CellFilter filter,
      AppliedTombstones deleted,
      Layout layout,
      BooleanSupplier cancelled)
      throws IOException {
    Set<Long> removed = new HashSet<>();
    inputs.forEach(file -> removed.add(file.fileNumber()));
    List<StoreFile> outputs;
    WriteThrottle throttle = throttleOf(store, cancelled);
    boolean[] givenUp = {false};
    try (MergingCursor cursor = deleted.cursor(inputs)) {
      outputs =
          files.write(
              manifest::nextNumber,
              store,
              new TableOrigin(ownerOf(store, inputs), deleted.appliedUpTo()),
              cursor,
              filter,
              bytes -> {
                givenUp[0] = !throttle.mayContinue(bytes);
                return !givenUp[0];
              },
              layout);
    }
    // Do not call the supplier again: no output may also mean that no cell was kept.
    if (givenUp[0]) {
      return Compacted.NOTHING;
    }
    record(store, outputs, removed, deleted);
    return new Compacted(
        inputs.size(), StoreFile.bytesOf(inputs), outputs.size(), StoreFile.bytesOf(outputs));
  }

  /** Returns the owner that the outputs record, with what a repair must know to count once. */
  private FileOwner ownerOf(Store store, List<StoreFile> inputs) throws IOException {
    StoreId id = store.id();
    long flushed = manifest.version().flushedSequence(id.regionId(), id.familyId());
    boolean merges = store.descriptor().mergeOperator() != null;
    return store.owner().at(flushed, merges ? files.mergedInto(inputs) : Set.of());
  }

  private WriteThrottle throttleOf(Store store, BooleanSupplier cancelled) {
    return bytes -> {
      // If files pile up, writers are delayed, which costs more than the bandwidth.
      limiter.acquire(bytes, () -> cancelled.getAsBoolean() || store.sortedRuns() >= FILES_URGENT);
      return !cancelled.getAsBoolean();
    };
  }

  /** Records the exchange of files in the manifest, and then exchanges them in the store. */
  private void record(
      Store store, List<StoreFile> outputs, Set<Long> removed, AppliedTombstones deleted)
      throws IOException {
    try (ManifestChange change = recorder.begin(outputs)) {
      FileChange exchange =
          store.change(
              outputs, removed, RangeTombstones.NONE, deleted.readPoint(), deleted.appliedUpTo());
      // Before the commit, after which a failed allocation would be one of the database.
      LongConsumer deletion = files.deletion();
      Runnable install = () -> store.install(exchange, deletion);
      change.commit(exchange.edits(store.id()), recorder.installation(store, outputs, install));
    }
  }
}
