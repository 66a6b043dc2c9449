// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.Get;
import io.accordiondb.Result;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.cli.hfile.HFileExport;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.hbase.HConstants;

/**
 * Writes a table as HFiles for HBase's bulk load, as of one moment: a folder for each family, in it
 * at least one file for each region that has cells, no file with rows of two regions. Cells keep
 * their versions, timestamps and tags; delete markers and hidden puts come along, but for those of
 * which {@link ExportedRow} says otherwise. It works region by region and family by family; the
 * {@link ExportJournal} knows which are complete. Belongs to one thread.
 */
final class HFileExporter {
  private static final byte[] OPEN = {};

  private final HFileExport export;
  private final LocalFiles disk;
  private final Database database;
  private final Table table;

  HFileExporter(HFileExport export, LocalFiles disk) throws IOException {
    this.export = export;
    this.disk = disk;
    this.database = export.database();
    this.table = database.table(export.table());
  }

  /** Writes what is not there yet, and returns what the folder holds. */
  Fields run() throws IOException {
    TableDescriptor descriptor = table.descriptor();
    for (FamilyDescriptor family : descriptor.families()) {
      RegionFiles.check(family, export.form());
      checkName(family.name());
    }
    List<byte[]> splits = splits();
    try (Snapshot snapshot = database.snapshot();
        WorkProgress progress = new WorkProgress(export.err(), "export", "cells", storedCells())) {
      ExportJournal journal =
          ExportJournal.open(
              export.target(),
              new ExportJournal.Plan(
                  export.table(), snapshot.sequenceNumber(), splits, export.form()));
      for (FamilyDescriptor family : descriptor.families()) {
        Files.createDirectories(export.target().resolve(family.name()));
        for (int region = 0; region <= splits.size(); region++) {
          String name = family.name() + "/" + region;
          ExportJournal.Part part = journal.find(name);
          if (part == null) {
            part = write(journal, snapshot, family, region, splits, progress);
            journal.add(part);
          } else {
            progress.add(part.cells());
          }
        }
      }
      TableFile.write(export.target(), descriptor, splits);
      Fields result = result(journal, splits.size() + 1);
      journal.finish();
      LocalFiles.force(export.target());
      return result;
    }
  }

  /** Refuses a family whose name is no folder of its own, or one that readers pass over. */
  private static void checkName(String family) {
    if (family.startsWith(".")
        || family.equals(HConstants.RECOVERED_EDITS_DIR)
        || family.matches(".*[/\\\\].*")) {
      throw new IllegalArgumentException(
          "HBase's bulk load passes over the folder of a family \""
              + family
              + "\"; export it with --format json");
    }
  }

  private List<byte[]> splits() throws IOException {
    List<byte[]> given = export.splits();
    if (given != null) {
      return given;
    }
    List<byte[]> starts = database.regionStarts(export.table());
    return List.copyOf(starts.subList(1, starts.size()));
  }

  private ExportJournal.Part write(
      ExportJournal journal,
      Snapshot snapshot,
      FamilyDescriptor family,
      int region,
      List<byte[]> splits,
      WorkProgress progress)
      throws IOException {
    long resolvedRows = 0;
    Scan scan =
        new Scan()
            .addFamily(family.nameBytes())
            .setStartRow(region == 0 ? OPEN : splits.get(region - 1))
            .setStopRow(region == splits.size() ? OPEN : splits.get(region))
            .setAllVersions()
            .setRaw(true)
            .setSnapshot(snapshot)
            .setCacheBlocks(false);
    Path target = export.target().resolve(family.name());
    try (ResultScanner scanner = table.scan(scan);
        RegionFiles files =
            new RegionFiles(
                disk, journal, target, family, region, export.form(), System.currentTimeMillis())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        List<Cell> cells = result.cells();
        boolean mayReturn = ExportedRow.hasPutsThatMayReturn(cells);
        // A raw scan does not ask the family's filter, and HBase has none.
        if (mayReturn || family.filtersReads() || ExportedRow.hasMarkers(cells)) {
          List<Cell> visible = visible(result.row(), family, snapshot);
          if (!ExportedRow.agrees(cells, visible)) {
            cells = ExportedRow.shown(cells, visible);
            resolvedRows++;
          } else if (family.filtersReads()) {
            cells = ExportedRow.withoutPutsThatAreFiltered(cells, visible);
          } else if (mayReturn) {
            cells = ExportedRow.withoutPutsThatReturn(cells, visible);
          }
        }
        files.add(cells);
        progress.add(cells.size());
      }
      int count = files.finish();
      return new ExportJournal.Part(
          family.name() + "/" + region, count, files.cells(), files.bytes(), resolvedRows);
    } catch (FSError e) {
      // Hadoop's stream throws an error where the disk is full.
      throw new IOException(
          "no HFile could be written to " + target + ": " + Throwables.rootMessage(e), e);
    }
  }

  private List<Cell> visible(byte[] row, FamilyDescriptor family, Snapshot snapshot)
      throws IOException {
    return table
        .get(
            new Get(row)
                .addFamily(family.nameBytes())
                .setAllVersions()
                .setSnapshot(snapshot)
                .setCacheBlocks(false))
        .cells();
  }

  /** Returns how many cells the table has, counting those that the scan passes over. */
  private long storedCells() throws IOException {
    return database.statistics().tables().stream()
        .filter(each -> each.name().equals(export.table()))
        .flatMap(each -> each.stores().stream())
        .mapToLong(each -> each.memory().cells() + each.files().cells())
        .sum();
  }

  private Fields result(ExportJournal journal, int regions) {
    long cells = 0;
    long bytes = 0;
    long files = 0;
    long resolvedRows = 0;
    for (ExportJournal.Part part : journal.parts()) {
      cells += part.cells();
      bytes += part.bytes();
      files += part.files();
      resolvedRows += part.resolvedRows();
    }
    return new Fields()
        .with("table", export.table())
        .with("cells", cells)
        .with("files", files)
        .with("bytes", bytes)
        .with("regions", regions)
        .with("rowsWithoutMarkers", resolvedRows)
        .with("splits", export.target().resolve(TableFile.SPLITS).toString());
  }
}
