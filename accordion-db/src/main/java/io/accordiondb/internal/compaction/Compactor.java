// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.CompactionStyle;
import io.accordiondb.cell.MergingCursor;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.Pace;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreFiles.Layout;
import io.accordiondb.retention.RetentionFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Merges sorted tables of a store. Thread-safe, provided that only one compaction runs on a store
 * at a time; flushes may run meanwhile.
 */
public final class Compactor {
  /** Files of a store from which its compactions are not held up any more. */
  private static final int FILES_URGENT = 16;

  /**
   * What a compaction has done.
   *
   * @param files number of files merged; 0 when there was nothing to do
   * @param bytesRead their length
   * @param bytesWritten length of the new files
   */
  public record Compacted(int files, long bytesRead, long bytesWritten) {
    /** Nothing was done. */
    public static final Compacted NOTHING = new Compacted(0, 0, 0);
  }

  private final StoreFiles files;
  private final Manifest manifest;
  private final LongSupplier smallestReadPoint;
  private final LongSupplier clockMillis;
  private final RateLimiter limiter;
  private final LeveledPicker leveledPicker;

  /** Creates a compactor of all stores of a database. */
  public Compactor(
      StoreFiles files,
      Manifest manifest,
      LongSupplier smallestReadPoint,
      LongSupplier clockMillis,
      RateLimiter limiter,
      LeveledPicker leveledPicker) {
    this.leveledPicker = leveledPicker;
    this.limiter = limiter;
    this.files = files;
    this.manifest = manifest;
    this.smallestReadPoint = smallestReadPoint;
    this.clockMillis = clockMillis;
  }

  /** Merges the files that the style of the store's family suggests, if there are such. */
  public Compacted minor(Store store, CompactionPicker picker, BooleanSupplier cancelled)
      throws IOException {
    List<StoreFile> all = store.retainedFiles();
    try {
      if (isLeveled(store)) {
        LeveledPicker.Pick pick = leveledPicker.pick(all.stream().map(Compactor::factsOf).toList());
        List<StoreFile> inputs = pick.inputs().stream().map(all::get).toList();
        return inputs.isEmpty()
            ? Compacted.NOTHING
            : compact(store, inputs, pick.hasOldest(), leveled(pick.level()), cancelled);
      }
      if (all.stream().anyMatch(file -> file.record().level() > 0)) {
        // The family was leveled before. Only all files together are surely a run by age.
        return compact(store, all, true, Layout.ONE_TABLE, cancelled);
      }
      CompactionPicker.Run run = picker.pick(all.stream().map(StoreFile::bytes).toList());
      boolean hasOldest = run.to() == all.size();
      return run.isEmpty()
          ? Compacted.NOTHING
          : compact(
              store, all.subList(run.from(), run.to()), hasOldest, Layout.ONE_TABLE, cancelled);
    } finally {
      Store.release(all);
    }
  }

  /**
   * Writes the oldest view anew, as a file of the store's own; at best nobody needs the file behind
   * it any more then.
   */
  public Compacted rewriteView(Store store, BooleanSupplier cancelled) throws IOException {
    List<StoreFile> all = store.retainedFiles();
    try {
      for (int i = all.size() - 1; i >= 0; i--) {
        StoreFile file = all.get(i);
        if (file.record().view() != null) {
          boolean isOldest = i == all.size() - 1;
          Layout layout = new Layout(file.record().level(), Long.MAX_VALUE);
          return compact(store, List.of(file), isOldest, layout, cancelled);
        }
      }
      return Compacted.NOTHING;
    } finally {
      Store.release(all);
    }
  }

  /** Merges all files, and drops delete markers, which have nothing left to hide. */
  public Compacted major(Store store, BooleanSupplier cancelled) throws IOException {
    List<StoreFile> all = store.retainedFiles();
    try {
      if (all.isEmpty()) {
        return Compacted.NOTHING;
      }
      Layout layout =
          isLeveled(store)
              ? leveled(leveledPicker.bottomLevel(all.stream().map(Compactor::factsOf).toList()))
              : Layout.ONE_TABLE;
      return compact(store, all, true, layout, cancelled);
    } finally {
      Store.release(all);
    }
  }

  private static boolean isLeveled(Store store) {
    return store.descriptor().compactionStyle() == CompactionStyle.LEVELED;
  }

  private Layout leveled(int level) {
    return new Layout(level, leveledPicker.fileBytes());
  }

  private static LeveledPicker.File factsOf(StoreFile file) {
    return new LeveledPicker.File(
        file.record().level(), file.bytes(), file.maxSequence(), file.firstRow(), file.lastRow());
  }

  private Compacted compact(
      Store store,
      List<StoreFile> inputs,
      boolean hasOldest,
      Layout layout,
      BooleanSupplier cancelled)
      throws IOException {
    // A marker hides only what was written before it: with the oldest file, all of that is here.
    RetentionFilter filter =
        new RetentionFilter(
            store.descriptor().versionRules(),
            smallestReadPoint.getAsLong(),
            clockMillis.getAsLong(),
            hasOldest);
    List<StoreFile> outputs;
    Pace pace = paceOf(store, cancelled);
    boolean[] givenUp = {false};
    try (MergingCursor cursor =
        new MergingCursor(inputs.stream().map(file -> file.source(false).cursor()).toList())) {
      outputs =
          files.write(
              manifest::nextNumber,
              store,
              cursor,
              filter,
              bytes -> {
                givenUp[0] = !pace.goOn(bytes);
                return !givenUp[0];
              },
              layout);
    }
    // Not to be asked again of who cancels: no output may also mean that no cell was kept.
    if (givenUp[0]) {
      return Compacted.NOTHING;
    }
    Set<Long> removed = new HashSet<>();
    inputs.forEach(file -> removed.add(file.fileNumber()));
    long bytesWritten = outputs.stream().mapToLong(StoreFile::bytes).sum();
    record(store, outputs, removed);
    return new Compacted(
        inputs.size(), inputs.stream().mapToLong(StoreFile::bytes).sum(), bytesWritten);
  }

  private Pace paceOf(Store store, BooleanSupplier cancelled) {
    return bytes -> {
      // Where files pile up, writers are held up, which costs more than the bandwidth.
      if (store.sortedRuns() < FILES_URGENT) {
        limiter.acquire(bytes, cancelled);
      }
      return !cancelled.getAsBoolean();
    };
  }

  /** Records the exchange of files in the manifest, and then exchanges them in the store. */
  private void record(Store store, List<StoreFile> outputs, Set<Long> removed) throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    outputs.forEach(output -> edits.add(new VersionEdit.AddFile(output.record())));
    for (long number : removed) {
      edits.add(new VersionEdit.RemoveFile(number));
    }
    boolean[] recorded = {false};
    try {
      manifest.commit(
          edits,
          () -> {
            recorded[0] = true;
            store.install(outputs, removed, files::delete);
          });
    } finally {
      if (!recorded[0]) {
        Store.release(outputs);
      }
    }
  }
}
