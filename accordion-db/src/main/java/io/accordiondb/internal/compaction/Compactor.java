// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.compaction;

import io.accordiondb.cell.MergingCursor;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.retention.RetentionFilter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Merges sorted tables of a store into one. Thread-safe, provided that only one compaction runs on
 * a store at a time; flushes may run meanwhile.
 */
public final class Compactor {
  /**
   * What a compaction has done.
   *
   * @param files number of files merged; 0 when there was nothing to do
   * @param bytesRead their length
   * @param bytesWritten length of the new file
   */
  public record Compacted(int files, long bytesRead, long bytesWritten) {
    /** Nothing was done. */
    public static final Compacted NOTHING = new Compacted(0, 0, 0);
  }

  private final StoreFiles files;
  private final Manifest manifest;
  private final LongSupplier smallestReadPoint;
  private final LongSupplier clockMillis;

  /** Creates a compactor of all stores of a database. */
  public Compactor(
      StoreFiles files,
      Manifest manifest,
      LongSupplier smallestReadPoint,
      LongSupplier clockMillis) {
    this.files = files;
    this.manifest = manifest;
    this.smallestReadPoint = smallestReadPoint;
    this.clockMillis = clockMillis;
  }

  /** Merges the files that a picker chooses, if it chooses any. */
  public Compacted minor(Store store, CompactionPicker picker, BooleanSupplier cancelled)
      throws IOException {
    List<StoreFile> all = store.retainedFiles();
    try {
      CompactionPicker.Run run = picker.pick(all.stream().map(StoreFile::bytes).toList());
      return run.isEmpty()
          ? Compacted.NOTHING
          : compact(store, all.subList(run.from(), run.to()), run.to() == all.size(), cancelled);
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
        if (all.get(i).record().view() != null) {
          return compact(store, all.subList(i, i + 1), i == all.size() - 1, cancelled);
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
      return all.isEmpty() ? Compacted.NOTHING : compact(store, all, true, cancelled);
    } finally {
      Store.release(all);
    }
  }

  private Compacted compact(
      Store store, List<StoreFile> inputs, boolean hasOldest, BooleanSupplier cancelled)
      throws IOException {
    // A marker hides only what was written before it: with the oldest file, all of that is here.
    RetentionFilter filter =
        new RetentionFilter(
            store.descriptor().versionRules(),
            smallestReadPoint.getAsLong(),
            clockMillis.getAsLong(),
            hasOldest);
    StoreFile output;
    try (MergingCursor cursor =
        new MergingCursor(inputs.stream().map(file -> file.source(false).cursor()).toList())) {
      output = files.write(manifest.nextNumber(), store, cursor, filter, cancelled);
    }
    if (output == null && cancelled.getAsBoolean()) {
      return Compacted.NOTHING;
    }
    Set<Long> removed = new HashSet<>();
    inputs.forEach(file -> removed.add(file.fileNumber()));
    long bytesWritten = output == null ? 0 : output.bytes();
    record(output, removed);
    store.install(output, removed, files::delete);
    return new Compacted(
        inputs.size(), inputs.stream().mapToLong(StoreFile::bytes).sum(), bytesWritten);
  }

  private void record(@Nullable StoreFile output, Set<Long> removed) throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    if (output != null) {
      edits.add(new VersionEdit.AddFile(output.record()));
    }
    for (long number : removed) {
      edits.add(new VersionEdit.RemoveFile(number));
    }
    try {
      manifest.commit(edits);
    } catch (IOException | RuntimeException e) {
      if (output != null) {
        output.release();
      }
      throw e;
    }
  }
}
