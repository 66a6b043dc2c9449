// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Edits for tests. */
final class Edits {
  private Edits() {}

  static TableRecord table(long id, String name, int... familyIds) {
    List<FamilyRecord> families =
        Arrays.stream(familyIds)
            .mapToObj(family -> new FamilyRecord(family, "f" + family, Map.of("k", "v" + family)))
            .toList();
    return new TableRecord(id, name, families);
  }

  static VersionEdit putTable(long id, String name, int... familyIds) {
    return new VersionEdit.PutTable(table(id, name, familyIds));
  }

  static RegionRecord region(long id, long tableId, String start, String end) {
    return new RegionRecord(id, tableId, start.getBytes(UTF_8), end.getBytes(UTF_8));
  }

  static VersionEdit putRegion(long id, long tableId, String start, String end) {
    return new VersionEdit.PutRegion(region(id, tableId, start, end));
  }

  static FileRecord file(long number, long regionId, int familyId) {
    return new FileRecord(number, regionId, familyId, 1000 + number, 10 * number, 10 * number + 9);
  }

  static VersionEdit addFile(long number, long regionId, int familyId) {
    return new VersionEdit.AddFile(file(number, regionId, familyId));
  }

  /** Returns edits that fit a version, as a database might commit them together. */
  static List<VersionEdit> fitting(Version version, NumberSource numbers, RandomGenerator random)
      throws IOException {
    List<TableRecord> tables = new ArrayList<>(version.tables());
    if (tables.isEmpty() || random.nextInt(12) == 0) {
      return newTable(numbers);
    }
    TableRecord table = tables.get(random.nextInt(tables.size()));
    List<RegionRecord> regions = version.regionsOf(table.tableId());
    RegionRecord region = regions.get(random.nextInt(regions.size()));
    int familyId = table.families().get(random.nextInt(table.families().size())).familyId();
    List<FileRecord> files = version.filesOf(region.regionId(), familyId);
    return switch (random.nextInt(10)) {
      case 0 -> dropTable(table, regions);
      case 1 -> List.of(new VersionEdit.SetClockFloor(random.nextInt(1000)));
      case 2, 3, 4 -> compaction(region, familyId, files, numbers);
      default -> flush(region, familyId, numbers);
    };
  }

  private static List<VersionEdit> newTable(NumberSource numbers) throws IOException {
    long id = numbers.next();
    return List.of(
        putTable(id, "t" + id, 1, 2),
        putRegion(numbers.next(), id, "", "m"),
        putRegion(numbers.next(), id, "m", ""));
  }

  private static List<VersionEdit> dropTable(TableRecord table, List<RegionRecord> regions) {
    List<VersionEdit> edits = new ArrayList<>();
    regions.forEach(region -> edits.add(new VersionEdit.DropRegion(region.regionId())));
    edits.add(new VersionEdit.DropTable(table.tableId()));
    return edits;
  }

  private static List<VersionEdit> flush(RegionRecord region, int familyId, NumberSource numbers)
      throws IOException {
    long number = numbers.next();
    return List.of(
        addFile(number, region.regionId(), familyId),
        new VersionEdit.SetFlushedSequence(region.regionId(), familyId, 10 * number + 9));
  }

  private static List<VersionEdit> compaction(
      RegionRecord region, int familyId, List<FileRecord> files, NumberSource numbers)
      throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    edits.add(addFile(numbers.next(), region.regionId(), familyId));
    files.forEach(file -> edits.add(new VersionEdit.RemoveFile(file.fileNumber())));
    return edits;
  }

  /** Returns all that a version says, for comparison. */
  static String describe(Version version) {
    return String.join("\n", version.asEdits().stream().map(Object::toString).toList());
  }
}
