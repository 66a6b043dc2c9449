// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import io.accordiondb.Database;
import io.accordiondb.TableDescriptor;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LogNote.Kind;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.TableRecords;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.table.LoggedCells;
import io.accordiondb.internal.table.TableWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Applies the log of the original to an open copy of a database. Used once.
 *
 * <p>The numbers of families are those of the original and determine the table of a cell in the
 * copy. The copy has regions of its own, so each cell goes to the region of its row.
 */
public final class LogApplication {
  private final Database copy;
  private final TableWriter writer;

  /**
   * The tables of the original at the position up to which the log has been applied, by their
   * numbers.
   */
  private Map<Long, TableRecord> tables;

  private final Map<Integer, Name> names = new HashMap<>();

  private record Name(String table, byte[] family) {}

  /**
   * Creates an object that applies a log.
   *
   * @param tables of the copy, with the numbers of the original
   */
  public LogApplication(Database copy, TableWriter writer, Collection<TableRecord> tables) {
    this.copy = copy;
    this.writer = writer;
    this.tables = byNumber(tables);
    learnNames();
  }

  private static Map<Long, TableRecord> byNumber(Collection<TableRecord> tables) {
    Map<Long, TableRecord> byNumber = new TreeMap<>();
    tables.forEach(table -> byNumber.put(table.tableId(), table));
    return byNumber;
  }

  private void learnNames() {
    for (TableRecord table : tables.values()) {
      for (FamilyRecord family : table.families()) {
        byte[] name = family.name().getBytes(StandardCharsets.UTF_8);
        names.put(family.familyId(), new Name(table.name(), name));
      }
    }
  }

  /** Applies the log from behind one sequence number up to another one. */
  public void apply(Storage log, long behind, long upTo) throws IOException {
    try (LoggedBatches batches = LoggedBatches.behind(log, behind)) {
      while (batches.next() && batches.lastSequence() <= upTo) {
        apply(batches.groups());
      }
    }
  }

  private void apply(List<LoggedGroup> groups) throws IOException {
    List<LoggedCells> cells = new ArrayList<>();
    for (LoggedGroup group : groups) {
      if (group.isNote()) {
        LogNote note = LogNote.of(group);
        if (note != null && (note.kind() == Kind.TABLES || note.kind() == Kind.TABLES_FROM_HERE)) {
          change(byNumber(TableRecords.decode(note.content(), "the log")));
        }
      } else {
        Name name = names.get(group.store().familyId());
        if (name == null) {
          throw new IllegalStateException(group.store() + " was in no note");
        }
        cells.add(new LoggedCells(name.table(), name.family(), group));
      }
    }
    writer.writeLogged(cells);
  }

  /** Changes the tables of the copy to those that the original had. */
  private void change(Map<Long, TableRecord> next) throws IOException {
    for (TableRecord old : tables.values()) {
      TableRecord now = next.get(old.tableId());
      if (now == null || isAnew(old, now)) {
        copy.dropTable(old.name());
      }
    }
    StoreOpener.checkKnown(next.values(), "the log");
    for (TableRecord now : next.values()) {
      TableRecord old = tables.get(now.tableId());
      TableDescriptor descriptor = StoreOpener.descriptorOf(now);
      if (old == null || isAnew(old, now)) {
        copy.createTable(descriptor);
      } else if (!old.equals(now)) {
        Set<String> replaced = replaced(old, now);
        if (!replaced.isEmpty()) {
          TableDescriptor.Builder without = descriptor.toBuilder();
          replaced.forEach(without::removeFamily);
          copy.alterTable(without.build());
        }
        copy.alterTable(descriptor);
      }
    }
    tables = next;
    learnNames();
  }

  /** Returns whether a table has kept none of its families, for example because it was emptied. */
  private static boolean isAnew(TableRecord old, TableRecord now) {
    Set<Integer> kept = numbers(now);
    kept.retainAll(numbers(old));
    return kept.isEmpty();
  }

  private static Set<Integer> numbers(TableRecord table) {
    Set<Integer> numbers = new HashSet<>();
    table.families().forEach(family -> numbers.add(family.familyId()));
    return numbers;
  }

  /** Returns the families that have the names of earlier ones, but none of their cells. */
  private static Set<String> replaced(TableRecord old, TableRecord now) {
    Map<String, Integer> before = new HashMap<>();
    old.families().forEach(family -> before.put(family.name(), family.familyId()));
    Set<String> replaced = new HashSet<>();
    for (FamilyRecord family : now.families()) {
      Integer known = before.get(family.name());
      if (known != null && known != family.familyId()) {
        replaced.add(family.name());
      }
    }
    return replaced;
  }
}
