// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.sstable.SortedTableProperties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Adds sorted tables to a version that does not contain them, by the owner that each file records.
 * It creates missing tables and families again, and missing regions, the newest first, as far as
 * they do not overlap. Rows of a file outside its region become visible in the regions that have
 * those rows. Used once.
 */
final class OwnerAdoption {
  private static final byte[] NO_BOUND = {};

  private final Consumer<String> notes;
  private final Map<Integer, Integer> aliases = new HashMap<>();
  private final Set<Long> named = new HashSet<>();
  private final Set<Long> fillers = new HashSet<>();
  private Version version;
  private long nextNumber;

  OwnerAdoption(Version version, Consumer<String> notes) {
    this.version = version;
    this.notes = notes;
    this.nextNumber = version.nextNumber();
  }

  /** A file that is sound. */
  record Adoptee(long number, SortedTableProperties properties, FileOwner owner) {}

  /** Returns the version with these files. */
  Version adopt(List<Adoptee> files) {
    for (Adoptee file : files) {
      nextNumber = Math.max(nextNumber, file.number + 1);
      nextNumber = Math.max(nextNumber, file.owner.region().regionId() + 1);
      nextNumber = Math.max(nextNumber, file.owner.region().tableId() + 1);
    }
    apply(new VersionEdit.SetNextNumber(nextNumber));
    List<Adoptee> newestFirst = new ArrayList<>(files);
    newestFirst.sort(
        Comparator.comparingLong((Adoptee file) -> file.owner.region().regionId())
            .thenComparingLong(Adoptee::number)
            .reversed());
    newestFirst.forEach(file -> addTable(file.owner));
    newestFirst.forEach(file -> addRegion(file.owner.region()));
    new ArrayList<>(version.tables()).forEach(this::fillGaps);
    newestFirst.forEach(this::addFile);
    if (!files.isEmpty()) {
      notes.accept(
          files.size()
              + " sorted tables that no manifest names were taken in; some may be older than a"
              + " compaction, and ranges of rows may have been deleted from them, so that deleted"
              + " cells may be back");
    }
    return version;
  }

  private void addTable(FileOwner owner) {
    TableRecord table = version.table(owner.region().tableId());
    List<FamilyRecord> families = new ArrayList<>();
    String name = owner.tableName();
    if (table != null) {
      name = table.name();
      families.addAll(table.families());
    } else if (version.table(name) != null) {
      name = name + "-" + owner.region().tableId();
    }
    boolean known =
        families.stream()
            .anyMatch(
                family ->
                    family.familyId() == owner.family().familyId()
                        || family.name().equals(owner.family().name()));
    if (!known) {
      families.add(owner.family());
      apply(new VersionEdit.PutTable(new TableRecord(owner.region().tableId(), name, families)));
      notes.accept("family " + owner.family().name() + " of table " + name + " was made again");
    }
  }

  private void addRegion(RegionRecord region) {
    boolean free =
        version.regionsOf(region.tableId()).stream().noneMatch(other -> overlap(region, other));
    if (free) {
      apply(new VersionEdit.PutRegion(region));
    }
  }

  /** Adds regions to a table until they cover all rows. */
  private void fillGaps(TableRecord table) {
    byte[] from = NO_BOUND;
    for (RegionRecord region : version.regionsOf(table.tableId())) {
      if (!Arrays.equals(region.startKey(), from)) {
        fill(table, from, region.startKey());
      }
      from = region.endKey();
      if (from.length == 0) {
        return;
      }
    }
    fill(table, from, NO_BOUND);
  }

  private void fill(TableRecord table, byte[] from, byte[] to) {
    RegionRecord region = new RegionRecord(newNumber(), table.tableId(), from, to);
    fillers.add(region.regionId());
    apply(new VersionEdit.PutRegion(region));
  }

  private void addFile(Adoptee file) {
    RegionRecord own = file.owner.region();
    TableRecord table = version.table(own.tableId());
    int familyId =
        table == null
            ? file.owner.family().familyId()
            : table.families().stream()
                .filter(family -> family.name().equals(file.owner.family().name()))
                .mapToInt(FamilyRecord::familyId)
                .findFirst()
                .orElse(file.owner.family().familyId());
    named.add(own.regionId());
    if (familyId != file.owner.family().familyId()) {
      aliases.put(file.owner.family().familyId(), familyId);
    }
    boolean isThere = own.equals(version.region(own.regionId()));
    for (RegionRecord region : version.regionsOf(own.tableId())) {
      if (isThere ? region.equals(own) : overlap(region, own)) {
        addFile(file, region, familyId, isThere);
      }
    }
  }

  private void addFile(Adoptee file, RegionRecord region, int familyId, boolean whole) {
    SortedTableProperties properties = file.properties;
    FileView view =
        whole
            ? null
            : new FileView(file.number, NO_BOUND, NO_BOUND, 0)
                .within(region.startKey(), region.endKey());
    apply(
        new VersionEdit.AddFile(
            new FileRecord(
                whole ? file.number : newNumber(),
                region.regionId(),
                familyId,
                properties.fileBytes(),
                properties.sequenceMin(),
                properties.sequenceMax(),
                0,
                view)));
    if (whole) {
      long flushed = file.owner.flushedSequence();
      noteFlushed(region, familyId, flushed < 0 ? properties.sequenceMax() : flushed);
    }
  }

  /**
   * Notes that a replay can skip cells, where it must: it would count operands again. Elsewhere it
   * does no harm, and a file of an earlier release may be a compaction's that merged an ingested
   * file, whose cells have higher numbers than others that were not flushed yet.
   */
  private void noteFlushed(RegionRecord region, int familyId, long sequence) {
    TableRecord table = version.table(region.tableId());
    if (table != null && merges(table, familyId)) {
      apply(new VersionEdit.SetFlushedSequence(region.regionId(), familyId, sequence));
    }
  }

  /** Returns whether a family has a merge operator. */
  static boolean merges(TableRecord table, int familyId) {
    return table.families().stream()
        .anyMatch(
            family ->
                family.familyId() == familyId
                    && StoreOpener.descriptorOf(family).mergeOperator() != null);
  }

  /**
   * Returns the numbers that families have in the version, by other ones that files of the same
   * families record.
   */
  Map<Integer, Integer> aliases() {
    return aliases;
  }

  /** Returns whether a family lost its cells before it got a later number, which files record. */
  boolean isReplaced(int familyId) {
    int now = aliases.getOrDefault(familyId, familyId);
    return aliases.entrySet().stream()
        .anyMatch(alias -> alias.getValue() == now && alias.getKey() > familyId);
  }

  /** Returns the regions that files record. */
  Set<Long> named() {
    return named;
  }

  /** Returns the regions that no file and no manifest records. */
  Set<Long> fillers() {
    return fillers;
  }

  private long newNumber() {
    long number = nextNumber++;
    apply(new VersionEdit.SetNextNumber(nextNumber));
    return number;
  }

  private void apply(VersionEdit edit) {
    version = version.apply(List.of(edit));
  }

  private static boolean overlap(RegionRecord a, RegionRecord b) {
    return startsBeforeEnd(a, b) && startsBeforeEnd(b, a);
  }

  private static boolean startsBeforeEnd(RegionRecord a, RegionRecord b) {
    return b.endKey().length == 0 || Arrays.compareUnsigned(a.startKey(), b.endKey()) < 0;
  }
}
