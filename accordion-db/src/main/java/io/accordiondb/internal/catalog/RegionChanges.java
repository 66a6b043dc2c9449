// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.metrics.Corruptions;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.SortedRuns;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.retention.RangeTombstones;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Splits regions and merges neighbours. Thread-safe.
 *
 * <p>No cell is copied: each new region sees the part of the old regions' files that holds its
 * rows, until a compaction rewrites the files. The cells in memory are flushed first, while writes
 * continue. Then readers and writers of the region wait while the cells that were written since are
 * flushed. If its memory cannot be emptied, a region stays unchanged.
 */
public final class RegionChanges {
  private static final byte[] NO_BOUND = {};

  private final Catalog catalog;
  private final Manifest manifest;
  private final Flusher flusher;
  private final StoreFiles files;
  private final Corruptions corruptions;

  /**
   * Creates an object that changes the regions of a catalog.
   *
   * @param corruptions receives damage that the search for the middle of a region finds
   */
  public RegionChanges(
      Catalog catalog,
      Manifest manifest,
      Flusher flusher,
      StoreFiles files,
      Corruptions corruptions) {
    this.corruptions = corruptions;
    this.files = files;
    this.catalog = catalog;
    this.manifest = manifest;
    this.flusher = flusher;
  }

  /**
   * Splits a region near the middle of its data.
   *
   * @return false if it has no row to split at, or has changed since it was chosen
   */
  public boolean split(String table, Region region) throws IOException {
    byte[] row;
    try {
      row = middleRow(region);
    } catch (CorruptionException e) {
      corruptions.check(e);
      throw e;
    }
    return row != null && split(table, region, row);
  }

  /**
   * Splits a region at a row, which becomes the first of the upper part. The array may be used
   * again afterwards.
   *
   * @return false if the row is not inside the region, or the region has changed since it was
   *     chosen
   */
  public boolean split(String table, Region region, byte[] row) throws IOException {
    byte[] start = row.clone();
    boolean inside =
        Arrays.compareUnsigned(region.startKey(), start) < 0
            && (region.endKey().length == 0 || Arrays.compareUnsigned(start, region.endKey()) < 0);
    return inside && replace(table, List.of(region), List.of(region.startKey(), start));
  }

  /**
   * Merges a region with the next one.
   *
   * @return false if they are not neighbours, or have changed since they were chosen
   */
  public boolean merge(String table, Region lower, Region upper) throws IOException {
    return lower.endKey().length > 0
        && Arrays.equals(lower.endKey(), upper.startKey())
        && replace(table, List.of(lower, upper), List.of(lower.startKey()));
  }

  private static byte @Nullable [] middleRow(Region region) throws IOException {
    List<Store> largestFirst = new ArrayList<>(region.stores());
    largestFirst.sort(
        Comparator.comparingLong((Store store) -> store.fileStatistics().bytes()).reversed());
    for (Store store : largestFirst) {
      List<StoreFile> files = store.retainedFiles();
      try {
        for (StoreFile file : middleFirst(files)) {
          byte[] row = file.middleRow();
          if (Arrays.compareUnsigned(row, region.startKey()) > 0
              && Arrays.compareUnsigned(row, file.firstRow()) > 0
              && (region.endKey().length == 0
                  || Arrays.compareUnsigned(row, region.endKey()) < 0)) {
            return row;
          }
        }
      } finally {
        Store.release(files);
      }
    }
    return null;
  }

  /**
   * Returns the files of the deepest level, or of level 0, where the largest run comes first: of a
   * run that with the middle of its bytes, and then its neighbours on both sides.
   */
  private static List<StoreFile> middleFirst(List<StoreFile> files) {
    int deepest = files.stream().mapToInt(file -> file.record().level()).max().orElse(0);
    List<StoreFile> level =
        new ArrayList<>(files.stream().filter(file -> file.record().level() == deepest).toList());
    List<StoreFile> ordered = new ArrayList<>(level.size());
    if (deepest == 0) {
      List<List<StoreFile>> runs = new ArrayList<>(SortedRuns.of(level, file -> true));
      runs.sort(Comparator.comparingLong(StoreFile::bytesOf).reversed());
      runs.forEach(run -> addMiddleFirst(run, ordered));
    } else {
      level.sort((one, other) -> Arrays.compareUnsigned(one.firstRow(), other.firstRow()));
      addMiddleFirst(level, ordered);
    }
    return ordered;
  }

  private static void addMiddleFirst(List<StoreFile> run, List<StoreFile> ordered) {
    long half = StoreFile.bytesOf(run) / 2;
    int middle = 0;
    while (middle < run.size() - 1 && half >= run.get(middle).bytes()) {
      half -= run.get(middle).bytes();
      middle++;
    }
    ordered.add(run.get(middle));
    for (int distance = 1; distance < run.size(); distance++) {
      if (middle + distance < run.size()) {
        ordered.add(run.get(middle + distance));
      }
      if (middle - distance >= 0) {
        ordered.add(run.get(middle - distance));
      }
    }
  }

  private static List<Store> storesOf(List<Region> regions) {
    return regions.stream().flatMap(region -> region.stores().stream()).toList();
  }

  /** Replaces neighbours by regions that begin at these rows and together have the same rows. */
  private boolean replace(String tableName, List<Region> old, List<byte[]> starts)
      throws IOException {
    List<Store> oldStores = storesOf(old);
    for (Store store : oldStores) {
      flusher.flush(store);
    }
    boolean replaced =
        catalog.whileUnchanged(
            () -> {
              TableState table = catalog.get(tableName);
              if (!table.regions().regions().containsAll(old)) {
                return false;
              }
              catalog.withStoresClosed(oldStores, () -> replaceQuiet(table, old, starts));
              return true;
            });
    if (replaced) {
      // Files that a new region sees are kept.
      files.drop(oldStores);
    }
    return replaced;
  }

  private void replaceQuiet(TableState table, List<Region> old, List<byte[]> starts)
      throws IOException {
    flusher.empty(storesOf(old));
    TableRecord record = catalog.recordOf(table.name());
    byte[] end = old.get(old.size() - 1).endKey();
    List<VersionEdit> edits = new ArrayList<>();
    old.forEach(region -> edits.add(new VersionEdit.DropRegion(region.record().regionId())));
    List<Region> next = new ArrayList<>();
    List<Store> opened = new ArrayList<>();
    try (ManifestChange change = manifest.change(() -> opened.forEach(Store::close))) {
      for (int i = 0; i < starts.size(); i++) {
        byte[] nextEnd = i + 1 < starts.size() ? starts.get(i + 1) : end;
        RegionRecord region =
            new RegionRecord(manifest.nextNumber(), table.tableId(), starts.get(i), nextEnd);
        edits.add(new VersionEdit.PutRegion(region));
        Map<StoreId, StoreParts> parts = new HashMap<>();
        for (FamilyRecord family : record.families()) {
          addFiles(old, region, family, starts.size(), parts, edits);
        }
        next.add(catalog.openRegion(record, region, parts::get, opened));
      }
      List<Region> regions = new ArrayList<>(table.regions().regions());
      regions.removeAll(old);
      regions.addAll(next);
      TableState replaced = catalog.stateOf(record, regions);
      change.commit(edits, () -> catalog.put(replaced));
    }
  }

  /** Assigns to a new store the files of the old stores that it sees. */
  private void addFiles(
      List<Region> old,
      RegionRecord region,
      FamilyRecord family,
      int count,
      Map<StoreId, StoreParts> parts,
      List<VersionEdit> edits)
      throws IOException {
    StoreId id = new StoreId(region.regionId(), family.familyId());
    List<FileRecord> seen = new ArrayList<>();
    RangeTombstones ranges = RangeTombstones.NONE;
    long flushed = 0;
    for (Store store : storesOf(old)) {
      if (store.id().familyId() != family.familyId()) {
        continue;
      }
      StoreId oldId = store.id();
      flushed =
          Math.max(flushed, manifest.version().flushedSequence(oldId.regionId(), oldId.familyId()));
      ranges = ranges.plus(store.fileRanges().within(region.startKey(), region.endKey()));
      List<StoreFile> held = store.retainedFiles();
      try {
        for (StoreFile file : held) {
          FileRecord part = partOf(file, region, id, count);
          if (part != null) {
            seen.add(part);
          }
        }
      } finally {
        Store.release(held);
      }
    }
    StoreParts assigned = new StoreParts(seen, ranges);
    assigned.addTo(edits, id, flushed);
    parts.put(id, assigned);
  }

  /** Returns the part of a file that a region sees; null if it sees nothing. */
  private @Nullable FileRecord partOf(StoreFile file, RegionRecord region, StoreId id, int count)
      throws IOException {
    byte[] end = region.endKey();
    boolean fromStart = Arrays.compareUnsigned(file.firstRow(), region.startKey()) >= 0;
    boolean toEnd = end.length == 0 || Arrays.compareUnsigned(file.lastRow(), end) < 0;
    boolean apart =
        Arrays.compareUnsigned(file.lastRow(), region.startKey()) < 0
            || (end.length > 0 && Arrays.compareUnsigned(file.firstRow(), end) >= 0);
    if (apart) {
      return null;
    }
    FileRecord record = file.record();
    boolean whole = fromStart && toEnd;
    FileView view = record.view();
    if (view == null && !whole) {
      view = new FileView(record.backingNumber(), NO_BOUND, NO_BOUND, 0);
    }
    return new FileRecord(
        whole ? record.fileNumber() : manifest.nextNumber(),
        id.regionId(),
        id.familyId(),
        whole ? record.bytes() : Math.max(1, record.bytes() / count),
        record.minSequence(),
        record.maxSequence(),
        record.level(),
        view == null ? null : view.within(region.startKey(), end));
  }
}
