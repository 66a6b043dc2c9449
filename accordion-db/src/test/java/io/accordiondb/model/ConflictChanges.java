// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import io.accordiondb.Database;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.TableDescriptor;
import io.accordiondb.retention.VersionRules;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What is written beside the transactions of a run, and the changes of its tables. Who has begun
 * before a table or a family loses its cells finds that all rows of the table were written.
 */
final class ConflictChanges {
  private static final String COPY = "copy";
  private static final int MEMORY_BYTES = 1 << 20;
  private static final int VERSIONS_MAX = 3;

  private final Subject subject;
  private final ConflictTables tables;
  private final SplittableRandom random;

  /** The rows of all writes, in the order of their commits. */
  private final List<RowSpan> writes = new ArrayList<>();

  /** How many writes there were after the last loss, by table and family. */
  private final Map<List<String>, Integer> losses = new HashMap<>();

  ConflictChanges(Subject subject, ConflictTables tables, SplittableRandom random) {
    this.subject = subject;
    this.tables = tables;
    this.random = random;
  }

  private Database database() {
    return subject.database();
  }

  void noteWrite(RowSpan rows) {
    writes.add(rows);
  }

  /** Returns how many writes there were so far. */
  int writes() {
    return writes.size();
  }

  /** Returns all writes but the first ones. */
  List<RowSpan> since(int begun) {
    return List.copyOf(writes.subList(begun, writes.size()));
  }

  /**
   * Returns whether cells were lost that were there when there were so many writes.
   *
   * @param family null for any family of the table
   */
  boolean hasLost(String table, @Nullable String family, int begun) {
    List<String> families = family == null ? tables.families(table) : List.of(family);
    return families.stream().anyMatch(name -> losses.getOrDefault(List.of(table, name), 0) > begun);
  }

  private void noteLoss(String table, List<String> families) {
    writes.add(RowSpan.all(table));
    families.forEach(family -> losses.put(List.of(table, family), writes.size()));
  }

  /** Truncates a table, or drops it or a family of it and creates that again. */
  void lose(String table) throws IOException {
    switch (random.nextInt(3)) {
      case 0 -> {
        database().truncateTable(table);
        noteLoss(table, tables.families(table));
      }
      case 1 -> {
        drop(table);
        tables.create(table);
      }
      default -> restore(dropFamily());
    }
  }

  void drop(String table) throws IOException {
    database().dropTable(table);
    noteLoss(table, tables.families(table));
  }

  /** Drops a family of the table with many; returns its name. */
  String dropFamily() throws IOException {
    String family = tables.family(ConflictTables.TABLE, random);
    TableDescriptor old = database().describe(ConflictTables.TABLE);
    database().alterTable(old.toBuilder().removeFamily(family).build());
    noteLoss(ConflictTables.TABLE, List.of(family));
    return family;
  }

  /** Creates a family again. */
  void restore(String family) throws IOException {
    put(ConflictTables.TABLE, tables.family(ConflictTables.TABLE, family));
  }

  /** Changes what loses nothing: rules and formats of families, options, copies of tables. */
  void alter(String table) throws IOException {
    String name = tables.family(table, random);
    switch (random.nextInt(4)) {
      case 0 -> {
        int bytes = MEMORY_BYTES << random.nextInt(2);
        database().reconfigure(options -> options.memoryBytes(bytes));
      }
      case 1 -> {
        if (database().exists(COPY)) {
          database().dropTable(COPY);
        }
        database().copyTable(table, renamed(database().describe(table)));
      }
      case 2 -> put(table, tables.family(table, name));
      default -> {
        FamilyDescriptor old = tables.family(table, name);
        VersionRules rules = old.versionRules();
        int versions = old.mergeOperator() == null ? 1 + random.nextInt(VERSIONS_MAX) : 1;
        long ttlMillis =
            rules.ttlMillis() == VersionRules.FOREVER
                ? VersionRules.FOREVER
                : rules.ttlMillis() << random.nextInt(2);
        put(table, old.toBuilder().maxVersions(versions).ttlMillis(ttlMillis).build());
      }
    }
  }

  private static TableDescriptor renamed(TableDescriptor table) {
    TableDescriptor.Builder renamed = TableDescriptor.builder(COPY);
    table.families().forEach(renamed::family);
    return renamed.build();
  }

  private void put(String table, FamilyDescriptor family) throws IOException {
    TableDescriptor old = database().describe(table);
    database().alterTable(old.toBuilder().family(family).build());
  }
}
