// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

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
import java.util.List;
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
        apply(
            new VersionEdit.PutRegion(
                new RegionRecord(newNumber(), table.tableId(), from, region.startKey())));
      }
      from = region.endKey();
      if (from.length == 0) {
        return;
      }
    }
    apply(
        new VersionEdit.PutRegion(new RegionRecord(newNumber(), table.tableId(), from, NO_BOUND)));
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
      // A flush writes all cells in memory.
      apply(
          new VersionEdit.SetFlushedSequence(
              region.regionId(), familyId, properties.sequenceMax()));
    }
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
