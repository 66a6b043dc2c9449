// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.catalog;

import io.accordiondb.FormatVersionException;
import io.accordiondb.encoding.CellSource;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.read.StoreView;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.RegionMap;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreId;
import io.accordiondb.internal.region.TableState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Opens tables and regions as the manifest describes them. Thread-safe. */
public final class TableOpener {
  private final StoreOpener opener;

  /** Creates an opener. */
  public TableOpener(StoreOpener opener) {
    this.opener = opener;
  }

  /** An open table and its record in the manifest. */
  public record OpenTable(TableRecord record, TableState state) {
    /** Returns the stores of several tables. */
    public static List<Store> storesOf(List<OpenTable> tables) {
      return tables.stream().flatMap(table -> table.state.stores().stream()).toList();
    }
  }

  /**
   * Opens all tables of a version, or none.
   *
   * @throws FormatVersionException if the description of a table has a part that this version of
   *     the software does not know
   */
  public List<OpenTable> openAll(Version version) throws IOException {
    List<OpenTable> tables = new ArrayList<>();
    List<Store> opened = new ArrayList<>();
    boolean done = false;
    StoreOpener.checkKnown(version.tables(), "the manifest");
    try {
      for (TableRecord record : version.tables()) {
        List<Region> regions = new ArrayList<>();
        for (RegionRecord region : version.regionsOf(record.tableId())) {
          regions.add(open(record, region, id -> StoreParts.of(version, id), family -> 0, opened));
        }
        tables.add(new OpenTable(record, stateOf(record, regions, null)));
      }
      shareMemory(opened);
      done = true;
      return tables;
    } finally {
      if (!done) {
        opened.forEach(Store::close);
      }
    }
  }

  /**
   * Opens a region.
   *
   * @param parts returns what a store has on disk
   * @param historyStart returns the sequence number before which nothing is known of a family
   * @param opened receives each store that was opened, even if a later one cannot be opened
   */
  Region open(
      TableRecord table,
      RegionRecord region,
      Function<StoreId, StoreParts> parts,
      ToLongFunction<FamilyRecord> historyStart,
      List<Store> opened)
      throws IOException {
    List<Store> stores = new ArrayList<>();
    for (FamilyRecord family : table.families()) {
      StoreId id = new StoreId(region.regionId(), family.familyId());
      stores.add(
          open(table, region, family, parts.apply(id), historyStart.applyAsLong(family), opened));
    }
    return new Region(region, stores);
  }

  /**
   * Opens a store, and adds it to those opened.
   *
   * @param historyStart the sequence number before which nothing is known of the family
   */
  Store open(
      TableRecord table,
      RegionRecord region,
      FamilyRecord family,
      StoreParts parts,
      long historyStart,
      List<Store> opened)
      throws IOException {
    Store store = opener.open(table.name(), region, family, parts, historyStart);
    opened.add(store);
    return store;
  }

  /** Returns the regions of a table if it is to get a new family, else none. */
  static List<Region> regionsToExtend(TableState old, TableRecord table) {
    List<Region> regions = old.regions().regions();
    return table.families().stream().allMatch(family -> storeOf(regions.get(0), family) != null)
        ? List.of()
        : regions;
  }

  /** Returns the stores of the families that a table is to lose. */
  static List<Store> storesToDrop(TableState old, TableRecord table) {
    return old.stores().stream()
        .filter(
            store ->
                table.families().stream()
                    .noneMatch(family -> family.familyId() == store.id().familyId()))
        .toList();
  }

  /**
   * Returns the regions of a table with the stores of its changed families: old and new ones.
   *
   * @param historyStart returns the sequence number before which nothing is known of a family
   * @param opened gets each store that is opened, also when a later one cannot be
   */
  List<Region> altered(
      TableState old,
      TableRecord table,
      ToLongFunction<FamilyRecord> historyStart,
      List<Store> opened)
      throws IOException {
    List<Region> regions = new ArrayList<>();
    for (Region region : old.regions().regions()) {
      List<Store> stores = new ArrayList<>();
      for (FamilyRecord family : table.families()) {
        Store kept = storeOf(region, family);
        long start = historyStart.applyAsLong(family);
        stores.add(
            kept != null
                ? kept
                : open(table, region.record(), family, StoreParts.NONE, start, opened));
      }
      regions.add(new Region(region.record(), stores));
    }
    return regions;
  }

  private static @Nullable Store storeOf(Region region, FamilyRecord family) {
    return region.stores().stream()
        .filter(store -> store.id().familyId() == family.familyId())
        .findFirst()
        .orElse(null);
  }

  /** Shares the memory among the stores that are open. */
  void shareMemory(List<Store> stores) {
    for (Store store : stores) {
      store
          .memStore()
          .setOptions(opener.memStoreOptions(store.tableName(), store.descriptor(), stores.size()));
    }
  }

  /** Returns the functions that the application has defined for families. */
  FamilyFunctions functions() {
    return opener.functions();
  }

  /** Returns the state of a table with these regions. */
  static TableState stateOf(
      TableRecord record, List<Region> regions, TableState.@Nullable Loss loss) {
    return new TableState(
        record.tableId(), StoreOpener.descriptorOf(record), new RegionMap(regions), loss);
  }

  /** Returns the highest timestamp of all cells of some stores, 0 if there are none. */
  public static long maxTimestamp(List<Store> stores) throws IOException {
    long highest = 0;
    for (Store store : stores) {
      try (StoreView view = store.view(false)) {
        highest = Math.max(highest, view.files().maxTimestamp());
        for (CellSource segment : view.memory().sources()) {
          highest = Math.max(highest, segment.maxTimestamp());
        }
      }
    }
    return highest;
  }
}
