// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.FamilyNotFoundException;
import io.accordiondb.Table;
import io.accordiondb.TableDescriptor;
import io.accordiondb.TableNotFoundException;
import io.accordiondb.cli.hfile.HFileImport;
import io.accordiondb.cli.text.Fields;
import io.accordiondb.cli.text.WorkProgress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads HFiles or a snapshot into a table. All files are opened, and all families looked up, before
 * anything is written. Cells are written as the newest writes of the database, with their own
 * timestamps; of cells that differ in nothing but their value, the one wins that won in HBase.
 *
 * <p>Units whose cells have been flushed are noted in the {@link ImportJournal}. Belongs to one
 * thread.
 */
final class HFileImporter {
  /** Bytes after which what was written is flushed, so that the journal can have it. */
  private static final long FLUSH_BYTES = 256L << 20;

  private static final int PROGRESS_CELLS = 1000;

  private final HFileImport request;
  private final LocalFiles disk;
  private final TagRule tags;
  private final long flushBytes;
  private final List<ImportJournal.Written> unflushed = new ArrayList<>();
  private long unflushedBytes;
  private long cells;
  private long droppedTags;

  HFileImporter(HFileImport request, LocalFiles disk) {
    this(request, disk, FLUSH_BYTES);
  }

  /** Creates an importer that flushes after other than the usual bytes. */
  HFileImporter(HFileImport request, LocalFiles disk, long flushBytes) {
    this.request = request;
    this.disk = disk;
    this.flushBytes = flushBytes;
    this.tags = new TagRule(request.choices().contains(HFileImport.Choice.DROP_TAGS));
  }

  /** Imports what is not there yet, and returns what was imported. */
  Fields run() throws IOException {
    ImportSource source =
        switch (request.kind()) {
          case HFILE -> new HFileFolder(disk).read(request.source());
          case SNAPSHOT -> ExportedSnapshot.open(disk, request).read();
        };
    boolean create = request.choices().contains(HFileImport.Choice.CREATE);
    try (Database database = request.opener().open(create)) {
      Table table = prepared(database, source, create);
      ImportJournal journal =
          ImportJournal.open(
              request.folder(),
              database,
              request.table(),
              request.kind()
                  + " "
                  + request.source().toAbsolutePath().normalize()
                  + " "
                  + request.snapshot()
                  + " "
                  + request.table()
                  + " "
                  + request.choices().contains(HFileImport.Choice.DROP_TAGS));
      try (WorkProgress progress =
          new WorkProgress(request.err(), "import", "cells", source.cells())) {
        write(database, table, source, journal, progress);
      } catch (IOException e) {
        keepComplete(database, journal, e);
        throw e;
      }
      journal.finish();
    }
    return new Fields()
        .with("table", request.table())
        .with("cells", cells)
        .with(
            "files",
            source.units().stream()
                .flatMap(unit -> unit.files().stream())
                .map(SourceFile::file)
                .distinct()
                .count())
        .with("droppedTags", droppedTags);
  }

  /** Returns the table, with all families that the source has cells of. */
  private Table prepared(Database database, ImportSource source, boolean create)
      throws IOException {
    String name = request.table();
    if (!database.exists(name)) {
      if (!create) {
        throw new TableNotFoundException(name);
      }
      database.createTable(
          source.table().named(name), source.table().splits().toArray(new byte[0][]));
    }
    TableDescriptor table = database.describe(name);
    TableDescriptor.Builder extended = table.toBuilder();
    boolean extend = false;
    for (FamilyDescriptor family : source.table().families()) {
      if (table.family(family.name()) == null) {
        extended.family(family);
        extend = true;
      }
    }
    if (extend && create) {
      table = extended.build();
      database.alterTable(table);
    }
    for (String family : source.families()) {
      if (table.family(family) == null) {
        throw new FamilyNotFoundException(name, family, table.familyNames());
      }
    }
    return database.table(name);
  }

  private void write(
      Database database,
      Table table,
      ImportSource source,
      ImportJournal journal,
      WorkProgress progress)
      throws IOException {
    for (ImportUnit unit : source.units()) {
      ImportJournal.Written done = journal.find(unit);
      if (done == null) {
        write(database, table, unit, source.exported(), progress);
        if (unflushedBytes >= flushBytes) {
          flush(database, journal);
        }
      } else {
        cells += done.cells();
        droppedTags += done.droppedTags();
        progress.add(unit.cells());
      }
    }
    flush(database, journal);
  }

  /** Lets the next run continue behind the units that were complete before a failure. */
  private void keepComplete(Database database, ImportJournal journal, IOException failure) {
    try {
      flush(database, journal);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private void write(
      Database database, Table table, ImportUnit unit, boolean exported, WorkProgress progress)
      throws IOException {
    long written = 0;
    try (MergedCells merged = MergedCells.open(disk, unit, tags);
        CellImport target = new CellImport(table, database.options(), exported)) {
      for (Cell cell = merged.next(); cell != null; cell = merged.next()) {
        target.add(cell);
        written++;
        if (written % PROGRESS_CELLS == 0) {
          progress.add(PROGRESS_CELLS);
        }
      }
      long left = merged.droppedTags();
      target.finish();
      progress.add(written % PROGRESS_CELLS);
      unflushed.add(new ImportJournal.Written(unit, written, left));
      unflushedBytes += target.bytes();
      cells += written;
      droppedTags += left;
    }
  }

  private void flush(Database database, ImportJournal journal) throws IOException {
    if (!unflushed.isEmpty()) {
      database.flush(request.table());
      journal.add(unflushed);
      unflushed.clear();
      unflushedBytes = 0;
    }
  }
}
