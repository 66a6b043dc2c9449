// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.RegionRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.manifest.VersionEdit.AddFile;
import io.accordiondb.internal.manifest.VersionEdit.AddLog;
import io.accordiondb.internal.manifest.VersionEdit.AddRangeTombstones;
import io.accordiondb.internal.manifest.VersionEdit.DropRegion;
import io.accordiondb.internal.manifest.VersionEdit.DropTable;
import io.accordiondb.internal.manifest.VersionEdit.PutRegion;
import io.accordiondb.internal.manifest.VersionEdit.PutTable;
import io.accordiondb.internal.manifest.VersionEdit.RemoveFile;
import io.accordiondb.internal.manifest.VersionEdit.RemoveLog;
import io.accordiondb.internal.manifest.VersionEdit.RemoveRangeTombstones;
import io.accordiondb.internal.manifest.VersionEdit.SetClockCeiling;
import io.accordiondb.internal.manifest.VersionEdit.SetClockFloor;
import io.accordiondb.internal.manifest.VersionEdit.SetFlushedSequence;
import io.accordiondb.internal.manifest.VersionEdit.SetHighestLog;
import io.accordiondb.internal.manifest.VersionEdit.SetNextNumber;
import io.accordiondb.retention.RangeTombstones;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes the edits of a manifest in words. */
final class EditWords {
  private EditWords() {}

  static String of(VersionEdit edit) {
    if (edit instanceof AddFile add) {
      return file(add.file());
    }
    if (edit instanceof RemoveFile remove) {
      return "remove file " + remove.fileNumber();
    }
    if (edit instanceof SetFlushedSequence flushed) {
      return format(
          "region %d, family %d: all up to sequence %d is in files",
          flushed.regionId(), flushed.familyId(), flushed.sequence());
    }
    if (edit instanceof AddLog log) {
      return log.isPrepared()
          ? "prepare log file " + log.fileNumber()
          : format("add log file %d, behind sequence %d", log.fileNumber(), log.previousSequence());
    }
    if (edit instanceof RemoveLog log) {
      return "remove log file " + log.fileNumber();
    }
    if (edit instanceof SetHighestLog log) {
      return "log files up to " + log.fileNumber() + " are known";
    }
    if (edit instanceof SetNextNumber next) {
      return "numbers below " + next.nextNumber() + " are given out";
    }
    if (edit instanceof SetClockCeiling ceiling) {
      return "timestamps above " + ceiling.timestamp() + " are not given out yet";
    }
    if (edit instanceof SetClockFloor floor) {
      return "timestamps up to " + floor.timestamp() + " are given out";
    }
    return ofCatalog(edit);
  }

  private static String ofCatalog(VersionEdit edit) {
    if (edit instanceof PutTable put) {
      return table(put.table());
    }
    if (edit instanceof DropTable drop) {
      return "drop table " + drop.tableId();
    }
    if (edit instanceof PutRegion put) {
      return region(put.region());
    }
    if (edit instanceof DropRegion drop) {
      return "drop region " + drop.regionId();
    }
    if (edit instanceof AddRangeTombstones add) {
      return format(
          "region %d, family %d: deleted are %s",
          add.regionId(), add.familyId(), ranges(add.tombstones()));
    }
    if (edit instanceof RemoveRangeTombstones remove) {
      return format(
          "region %d, family %d: nothing is left to delete of %s",
          remove.regionId(), remove.familyId(), ranges(remove.tombstones()));
    }
    return edit.toString();
  }

  private static String ranges(RangeTombstones tombstones) {
    return tombstones.toList().stream()
        .map(
            range ->
                format(
                    "[%s, %s) below sequence %d",
                    HexFormat.of().formatHex(range.start()),
                    HexFormat.of().formatHex(range.end()),
                    range.sequence()))
        .collect(Collectors.joining("; "));
  }

  private static String file(FileRecord file) {
    FileView view = file.view();
    String added =
        format(
            "add file %d to region %d, family %d, level %d: %d bytes, sequences %d to %d",
            file.fileNumber(),
            file.regionId(),
            file.familyId(),
            file.level(),
            file.bytes(),
            file.minSequence(),
            file.maxSequence());
    if (view == null) {
      return added;
    }
    return added
        + format(
            "; shows rows %s of file %d",
            rows(view.startKey(), view.endKey()), view.backingNumber());
  }

  private static String table(TableRecord table) {
    List<String> families =
        table.families().stream()
            .map((FamilyRecord family) -> family.name() + " (" + family.familyId() + ")")
            .toList();
    return format(
        "table %d is %s, families %s", table.tableId(), table.name(), String.join(", ", families));
  }

  private static String region(RegionRecord region) {
    return format(
        "region %d of table %d has rows %s",
        region.regionId(), region.tableId(), rows(region.startKey(), region.endKey()));
  }

  private static String rows(byte[] start, byte[] end) {
    return "["
        + (start.length == 0 ? "first" : hex(start))
        + ", "
        + (end.length == 0 ? "end" : hex(end))
        + ")";
  }

  private static String hex(byte[] key) {
    return "hex:" + HexFormat.of().formatHex(key);
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
