// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.TableDescriptor;
import io.accordiondb.TableExistsException;
import io.accordiondb.internal.function.IoBiConsumer;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.Flusher;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies a table within the database: the copy has the regions of the original and sees its files,
 * so no cell is copied. Thread-safe.
 *
 * <p>The copy holds one moment of the original, with all versions and delete markers. As with a
 * split, the cells in memory are flushed first, while writes continue; readers and writers of the
 * original wait only while the rest is flushed. One edit of the manifest records the whole copy.
 */
public final class TableCopies {
  private static final byte[] NO_BOUND = {};

  private final Catalog catalog;
  private final Manifest manifest;
  private final Flusher flusher;
  private final IoBiConsumer<String, IoRunnable> notedCopy;

  /**
   * Creates what copies tables.
   *
   * @param notedCopy notes the name of a copy, and then runs what gives it cells that the log does
   *     not have
   */
  public TableCopies(
      Catalog catalog,
      Manifest manifest,
      Flusher flusher,
      IoBiConsumer<String, IoRunnable> notedCopy) {
    this.catalog = catalog;
    this.manifest = manifest;
    this.flusher = flusher;
    this.notedCopy = notedCopy;
  }

  /**
   * Copies a table.
   *
   * @param copy the name of the copy, and the families of the original with their attributes there
   * @throws IllegalArgumentException if the copy has other families than the original
   */
  public void copy(String original, TableDescriptor copy) throws IOException {
    for (Store store : catalog.get(original).stores()) {
      flusher.flush(store);
    }
    catalog.whileUnchanged(
        () -> {
          TableState source = catalog.get(original);
          check(source, copy);
          catalog.withStoresPaused(source.stores(), () -> copyQuiet(source, copy));
        });
  }

  private void check(TableState source, TableDescriptor copy) throws TableExistsException {
    if (catalog.contains(copy.name())) {
      throw new TableExistsException(copy.name());
    }
    if (!source.descriptor().familyNames().equals(copy.familyNames())) {
      throw new IllegalArgumentException(
          "table \""
              + source.name()
              + "\" has families "
              + source.descriptor().familyNames()
              + ", its copy \""
              + copy.name()
              + "\" "
              + copy.familyNames());
    }
    catalog.checkFunctions(source.descriptor(), copy);
  }

  private void copyQuiet(TableState source, TableDescriptor copy) throws IOException {
    flusher.empty(source.stores());
    TableRecord table = catalog.created(copy);
    List<VersionEdit> edits = new ArrayList<>(List.of(new VersionEdit.PutTable(table)));
    List<Store> opened = new ArrayList<>();
    try (ManifestChange change = manifest.change(() -> opened.forEach(Store::close))) {
      // Before the note, behind which no copy of the database can follow the log.
      TableState state = catalog.stateOf(table, open(source, table, edits, opened));
      notedCopy.accept(
          copy.name(), () -> change.commit(edits, () -> catalog.install(table, state)));
    }
  }

  /**
   * Opens the regions of a copy.
   *
   * @param edits receives what records them
   * @param opened receives each store that is opened, even before a failure
   */
  private List<Region> open(
      TableState source, TableRecord table, List<VersionEdit> edits, List<Store> opened)
      throws IOException {
    TableRecord original = catalog.recordOf(source.name());
    List<Region> regions = new ArrayList<>();
    for (Region region : source.regions().regions()) {
      RegionRecord record =
          new RegionRecord(
              manifest.nextNumber(), table.tableId(), region.startKey(), region.endKey());
      edits.add(new VersionEdit.PutRegion(record));
      Map<StoreId, StoreParts> parts = new HashMap<>();
      for (FamilyRecord family : table.families()) {
        StoreId id = new StoreId(record.regionId(), family.familyId());
        parts.put(id, addParts(storeOf(region, original, family), record, id, edits));
      }
      regions.add(catalog.openRegion(table, record, parts::get, opened));
    }
    return regions;
  }

  private static Store storeOf(Region region, TableRecord original, FamilyRecord family) {
    int familyId =
        original.families().stream()
            .filter(known -> known.name().equals(family.name()))
            .findFirst()
            .orElseThrow()
            .familyId();
    return region.stores().stream()
        .filter(store -> store.id().familyId() == familyId)
        .findFirst()
        .orElseThrow();
  }

  /** Gives views of all files of a store to another one. */
  private StoreParts addParts(Store from, RegionRecord region, StoreId to, List<VersionEdit> edits)
      throws IOException {
    List<FileRecord> seen = new ArrayList<>();
    List<StoreFile> held = from.retainedFiles();
    try {
      for (StoreFile file : held) {
        seen.add(viewOf(file.record(), region, to));
      }
    } finally {
      Store.release(held);
    }
    StoreParts parts = new StoreParts(seen, from.fileRanges());
    long flushed = manifest.version().flushedSequence(from.id().regionId(), from.id().familyId());
    parts.addTo(edits, to, flushed);
    return parts;
  }

  private FileRecord viewOf(FileRecord file, RegionRecord region, StoreId store)
      throws IOException {
    FileView view = file.view();
    FileView all = view == null ? new FileView(file.backingNumber(), NO_BOUND, NO_BOUND, 0) : view;
    return new FileRecord(
        manifest.nextNumber(),
        store.regionId(),
        store.familyId(),
        file.bytes(),
        file.minSequence(),
        file.maxSequence(),
        file.level(),
        all.within(region.startKey(), region.endKey()));
  }
}
