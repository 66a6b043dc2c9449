// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FormatVersionException;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.read.ColumnCache;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.memstore.JfrMemStoreListener;
import io.accordiondb.memstore.MemStore;
import io.accordiondb.memstore.MemStoreEnvironment;
import io.accordiondb.memstore.MemStoreOptions;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens stores as the manifest describes them. */
public final class StoreOpener {
  /** Share of the budget that stores may fill; the rest takes writes while they are flushed. */
  public static final double MEMORY_SHARE = 0.65;

  /** The smallest share of the memory that a store is assumed to have. */
  private static final long SHARE_BYTES_MIN = 64 << 10;

  private final Supplier<DatabaseOptions> options;
  private final StoreFiles files;
  private final @Nullable ColumnCache columns;
  private final MemStoreEnvironment environment;
  private final FamilyFunctions functions;

  /**
   * Creates an opener.
   *
   * @param options supplies the present options
   */
  public StoreOpener(
      Supplier<DatabaseOptions> options,
      StoreFiles files,
      @Nullable ColumnCache columns,
      MemStoreEnvironment environment,
      FamilyFunctions functions) {
    this.functions = functions;
    this.options = options;
    this.columns = columns;
    this.files = files;
    this.environment = environment;
  }

  /**
   * Opens one store with its parts on disk.
   *
   * @param historyStart the sequence number before which nothing is known of the family
   */
  Store open(
      String tableName,
      RegionRecord region,
      FamilyRecord family,
      StoreParts parts,
      long historyStart)
      throws IOException {
    List<StoreFile> opened = new ArrayList<>(parts.files().size());
    boolean done = false;
    try {
      for (FileRecord record : parts.files()) {
        opened.add(files.open(record));
      }
      FamilyDescriptor descriptor = descriptorOf(family);
      MemStore memStore =
          new MemStore(
              memStoreOptions(tableName, descriptor, 1),
              environmentOf(tableName, region, descriptor));
      parts.files().forEach(file -> memStore.noteForeignCells(file.maxSequence()));
      Store store =
          new Store(
              new StoreId(region.regionId(), family.familyId()),
              tableName,
              region,
              descriptor,
              memStore,
              columns,
              historyStart,
              opened,
              parts.ranges(),
              () -> options.get().levelFileBytes());
      done = true;
      return store;
    } finally {
      if (!done) {
        Store.release(opened);
      }
    }
  }

  /** Returns the environment of one memory store, under whose name JFR records its events. */
  private MemStoreEnvironment environmentOf(
      String tableName, RegionRecord region, FamilyDescriptor family) {
    String name = tableName + "/" + region.regionId() + "/" + family.name();
    return environment.withListener(new JfrMemStoreListener(name, environment.listener()));
  }

  /**
   * Returns the options of a family's memory store, which shares the memory with a number of
   * stores.
   */
  MemStoreOptions memStoreOptions(String tableName, FamilyDescriptor family, int stores) {
    MemStorePolicy policy = family.memStorePolicy();
    SegmentLayout layout = family.segmentLayout();
    DatabaseOptions now = options.get();
    long share =
        now.storeFlushBytes() > 0
            ? now.storeFlushBytes()
            : (long) (MEMORY_SHARE * now.memoryBytes() / Math.max(1, stores));
    return new MemStoreOptions(
        policy == null ? now.memStorePolicy() : policy,
        family.versionRules(),
        Math.max(SHARE_BYTES_MIN, share),
        layout == null ? now.experiment().segmentLayout() : layout,
        functions.merges().of(family, now.valueBytesMax()),
        functions.filters().of(tableName, family));
  }

  /** Returns the functions that the application has defined for families. */
  FamilyFunctions functions() {
    return functions;
  }

  /**
   * Checks that this software knows all that the descriptions of tables say. Of others it would
   * read wrongly, and a compaction would drop the wrong cells.
   *
   * @param file the file that has the descriptions, which are sound
   */
  public static void checkKnown(Collection<TableRecord> tables, String file)
      throws FormatVersionException {
    for (TableRecord table : tables) {
      try {
        TableDescriptor unused = descriptorOf(table);
      } catch (IllegalArgumentException e) {
        throw new FormatVersionException(file, "table " + table.name() + ": " + e.getMessage());
      }
    }
  }

  /** Same as above, for the owner of a sorted table. */
  public static void checkKnown(FileOwner owner, String file) throws FormatVersionException {
    checkKnown(
        List.of(
            new TableRecord(owner.region().tableId(), owner.tableName(), List.of(owner.family()))),
        file);
  }

  public static FamilyDescriptor descriptorOf(FamilyRecord family) {
    return FamilyDescriptor.ofAttributes(family.name(), family.attributes());
  }

  public static TableDescriptor descriptorOf(TableRecord table) {
    TableDescriptor.Builder builder = TableDescriptor.builder(table.name());
    table.families().forEach(family -> builder.family(descriptorOf(family)));
    return builder.build();
  }
}
