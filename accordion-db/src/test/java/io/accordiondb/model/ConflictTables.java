// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.model;

import static io.accordiondb.fixtures.TestData.bytes;

import io.accordiondb.CompactionStyle;
import io.accordiondb.Delete;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Merge;
import io.accordiondb.Mutation;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import io.accordiondb.fixtures.TestData;
import io.accordiondb.merge.MergeOperators;
import io.accordiondb.retention.KeepDeletedCells;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a run of transactions, two of which are key-value stores. Their families have all
 * the rules by which a compaction drops what was written.
 */
final class ConflictTables {
  /** A table with many families. */
  static final String TABLE = "table";

  /** The family of the table whose cells do not expire. */
  static final String LASTING = "keep";

  private static final String STORE = "store";
  private static final String OPERANDS = "operands";
  private static final List<String> ALL = List.of(STORE, OPERANDS, TABLE);
  private static final List<String> FAMILIES = List.of("one", "three", "ttl", LASTING, "filtered");
  private static final List<String> ROWS =
      List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");
  private static final List<String> REGION_STARTS = List.of("d", "h");

  private static final long TTL_MILLIS = 300;

  private static final int LIFE_MILLIS_MAX = 400;
  private static final byte[] NO_BYTES = {};

  private final SplittableRandom random;
  private final Subject subject;

  /** Creates the tables of a database, in regions. */
  ConflictTables(Subject subject, SplittableRandom random) throws IOException {
    this.subject = subject;
    this.random = random;
    for (String table : ALL) {
      create(table);
    }
  }

  /** Creates a table, in regions. */
  void create(String table) throws IOException {
    TableDescriptor.Builder descriptor = TableDescriptor.builder(table);
    for (String family : families(table)) {
      descriptor.family(family(table, family));
    }
    subject
        .database()
        .createTable(
            descriptor.build(), REGION_STARTS.stream().map(TestData::bytes).toArray(byte[][]::new));
  }

  /** Returns the names of the families of a table. */
  List<String> families(String table) {
    return table.equals(TABLE) ? FAMILIES : List.of(KeyValueStore.FAMILY);
  }

  /** Returns a family of a table, in any format. */
  FamilyDescriptor family(String table, String name) {
    FamilyDescriptor.Builder family = FamilyDescriptor.builder(name);
    if (table.equals(OPERANDS)) {
      family.mergeOperator(MergeOperators.append().name()).ttlMillis(TTL_MILLIS);
    }
    switch (name) {
      case "three" -> family.maxVersions(3);
      case "ttl" -> family.maxVersions(2).ttlMillis(TTL_MILLIS);
      case LASTING -> family.maxVersions(2).keepDeletedCells(KeepDeletedCells.TRUE);
      case "filtered" -> family.compactionFilter(ExpiryHistory.FILTER_NAME).filtersReads(true);
      default -> {}
    }
    return formatted(family);
  }

  private FamilyDescriptor formatted(FamilyDescriptor.Builder family) {
    CompactionStyle style =
        random.nextInt(3) == 0 ? CompactionStyle.LEVELED : CompactionStyle.TIERED;
    return ModelTables.formatted(family.compactionStyle(style), random);
  }

  /** Returns the name of one of the tables. */
  String any() {
    return ALL.get(random.nextInt(ALL.size()));
  }

  /** Returns the name of one of the key-value stores. */
  String anyStore() {
    return random.nextBoolean() ? STORE : OPERANDS;
  }

  String row() {
    return ROWS.get(random.nextInt(ROWS.size()));
  }

  /** Returns one of the rows of a span, most often the first or the last. */
  String rowAt(RowSpan rows) {
    List<String> inside =
        ROWS.stream().filter(row -> RowSpan.ofRow(rows.table(), row).meets(rows)).toList();
    return switch (random.nextInt(3)) {
      case 0 -> inside.get(0);
      case 1 -> inside.get(inside.size() - 1);
      default -> inside.get(random.nextInt(inside.size()));
    };
  }

  /** Returns a row and some that follow. */
  RowSpan rowsFrom(String table, String row) {
    int last = ROWS.indexOf(row) + random.nextInt(3);
    return new RowSpan(table, row, last < ROWS.size() ? RowSpan.after(ROWS.get(last)) : null);
  }

  /** Returns neighbouring rows, up to all of a table. */
  RowSpan rows(String table) {
    int from = random.nextInt(ROWS.size());
    int to = from + random.nextInt(ROWS.size() - from);
    String first = ROWS.get(from);
    String last = ROWS.get(to);
    return new RowSpan(
        table,
        from == 0 ? "" : random.nextBoolean() ? first : RowSpan.after(ROWS.get(from - 1)),
        to == ROWS.size() - 1
            ? null
            : random.nextBoolean() ? RowSpan.after(last) : ROWS.get(to + 1));
  }

  /** Returns the name of a family of a table. */
  String family(String table, SplittableRandom choice) {
    List<String> families = families(table);
    return families.size() == 1 ? families.get(0) : families.get(choice.nextInt(families.size()));
  }

  /** Returns a write of one row. */
  Mutation write(String table, String row) {
    byte[] key = bytes(row);
    String name = family(table, random);
    byte[] family = bytes(name);
    byte[] qualifier = table.equals(TABLE) && random.nextBoolean() ? bytes("q") : NO_BYTES;
    if (random.nextInt(4) == 0) {
      Delete delete = new Delete(key);
      return random.nextBoolean() ? delete : delete.addColumns(family, qualifier);
    }
    boolean mayExpire = !table.equals(OPERANDS) && !name.equals(LASTING);
    if (table.equals(OPERANDS) && random.nextInt(4) > 0) {
      return new Merge(key).addColumn(family, qualifier, value());
    }
    Put put = new Put(key);
    if (mayExpire && random.nextInt(3) == 0) {
      put.setTtlMillis(1 + random.nextInt(LIFE_MILLIS_MAX));
    }
    return put.addColumn(family, qualifier, value());
  }

  /** Returns a value that the filter drops sooner or later. */
  byte[] value() {
    return bytes(
        subject.now() + random.nextInt(LIFE_MILLIS_MAX) + "|" + " ".repeat(random.nextInt(40)));
  }

  /** Returns the bytes of a bound; none for an open one. */
  static byte[] bound(@Nullable String row) {
    return row == null ? NO_BYTES : bytes(row);
  }

  /** Returns whether a bound is not a row, but follows one directly. */
  static boolean isBehindRow(byte[] bound) {
    return bound.length > 1 && bound[bound.length - 1] == 0;
  }

  /** Returns the bytes of a bound of a key-value store; null for an open one. */
  static byte @Nullable [] key(@Nullable String row) {
    return row == null || row.isEmpty() ? null : bytes(row);
  }
}
