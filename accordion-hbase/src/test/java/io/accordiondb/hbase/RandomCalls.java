// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Random mutations and reads of a few rows at one moment. HBase changes the objects that it gets,
 * so each region needs its own: equal seeds give equal calls.
 */
final class RandomCalls {
  /**
   * Timestamps are multiples of it, so that versions, markers and the ends of time ranges often
   * meet.
   */
  static final long TICK_MILLIS = 250;

  /** How many ticks the timestamp of a cell differs from the clock's at most. */
  static final int TICKS_MAX = 4;

  /** Reads go back this far. */
  private static final int PAST_TICKS = 80;

  private static final int ROWS = 12;
  private static final int QUALIFIERS = 4;
  private static final int LONG_VALUE_BYTES = 300_000;

  /** With the other tags of a cell this is less than 32 KiB: HBase cannot read more from a file. */
  private static final int LONG_TAG_BYTES = 20_000;

  /**
   * What may be called if the answers must be the same. Of a family with the new version behaviour
   * nothing is dropped in memory, so what concerns it alone is not limited.
   */
  enum Scope {
    /** Everything, as nothing is dropped in memory. */
    ALL,

    /**
     * What does not depend on when a compaction drops the versions beneath others: no cell has a
     * time to live of its own, no read looks beneath a version, no version is deleted that is
     * present.
     */
    AS_COMPACTED,

    /** The same, and no marker deletes a version that is written later, either. */
    NO_VERSION_MARKERS
  }

  private final Random random;
  private final long now;
  private final List<ColumnFamilyDescriptor> families;
  private final Scope scope;

  /**
   * Creates calls.
   *
   * @param now the time of the regions' clock
   */
  RandomCalls(long seed, long now, List<ColumnFamilyDescriptor> families, Scope scope) {
    this.random = new Random(seed);
    this.now = now;
    this.families = families;
    this.scope = scope;
  }

  private boolean oneIn(int count) {
    return random.nextInt(count) == 0;
  }

  private byte[] row() {
    int row = random.nextInt(ROWS);
    return Bytes.toBytes(row % 5 == 0 ? "row" + row + "longer" : "row" + row);
  }

  private ColumnFamilyDescriptor family() {
    return families.get(random.nextInt(families.size()));
  }

  private Scope scopeOf(ColumnFamilyDescriptor family) {
    return family.isNewVersionBehavior() ? Scope.ALL : scope;
  }

  /**
   * Returns a column, which may be the one without a name: HBase sorts the markers of a family
   * among its cells, and with the new version behaviour fails there with a NullPointerException.
   */
  private byte[] qualifier(ColumnFamilyDescriptor family) {
    return oneIn(QUALIFIERS) && !family.isNewVersionBehavior() ? new byte[0] : qualifierWithName();
  }

  private byte[] qualifierWithName() {
    return Bytes.toBytes("q" + (1 + random.nextInt(QUALIFIERS - 1)));
  }

  private long tick(int ahead) {
    return (now / TICK_MILLIS + ahead) * TICK_MILLIS;
  }

  private long timestamp() {
    return tick(-random.nextInt(TICKS_MAX));
  }

  /** Returns an increment or an append alone, or a batch of others. */
  Mutation[] mutations() throws IOException {
    Mutation[] mutations = new Mutation[1 + random.nextInt(3)];
    if (oneIn(8)) {
      mutations = new Mutation[] {oneIn(2) ? increment() : append()};
    } else {
      for (int i = 0; i < mutations.length; i++) {
        mutations[i] = oneIn(4) ? delete() : put();
      }
    }
    for (Mutation mutation : mutations) {
      if (oneIn(5)) {
        mutation.setDurability(Durability.SKIP_WAL);
      }
      if (scope == Scope.ALL && !(mutation instanceof Delete) && oneIn(8)) {
        mutation.setTTL(1 + random.nextInt(10_000));
      }
    }
    return mutations;
  }

  private Mutation increment() {
    return new Increment(row()).addColumn(family().getName(), Bytes.toBytes("count"), 1);
  }

  private Mutation append() {
    return new Append(row())
        .addColumn(family().getName(), Bytes.toBytes("text"), Bytes.toBytes("x"));
  }

  /**
   * Returns a delete of a family, or in a column with a name: HBase itself does not return from
   * some reads of files where cells of the column without one differ by their types alone.
   */
  private Delete delete() {
    Delete delete = new Delete(row());
    ColumnFamilyDescriptor family = family();
    byte[] name = family.getName();
    int kind = random.nextInt(6);
    if (kind == 0) {
      return delete.addFamily(name, timestamp());
    }
    if (kind < 3 || !mayDeleteVersions(family)) {
      return delete.addColumns(name, qualifierWithName(), timestamp());
    }
    if (kind == 3 && scopeOf(family) == Scope.ALL) {
      // The newest version.
      return delete.addColumn(name, qualifierWithName());
    }
    boolean isAhead = scopeOf(family) != Scope.ALL || oneIn(2);
    long version = isAhead ? tick(1 + random.nextInt(TICKS_MAX)) : timestamp();
    return kind == 4
        ? delete.addFamilyVersion(name, version)
        : delete.addColumn(name, qualifierWithName(), version);
  }

  /** Where deleted cells are kept, compactions count them as versions, in files as well. */
  private boolean mayDeleteVersions(ColumnFamilyDescriptor family) {
    return scopeOf(family) == Scope.ALL
        || (scope == Scope.AS_COMPACTED && family.getKeepDeletedCells() == KeepDeletedCells.FALSE);
  }

  /** Returns a put that may have a cell twice: the last one counts. */
  private Put put() throws IOException {
    byte[] row = row();
    Put put = new Put(row);
    ColumnFamilyDescriptor family = family();
    long timestamp = oneIn(4) ? now : timestamp();
    for (int i = random.nextInt(4); i >= 0; i--) {
      byte[] value = bytes(oneIn(1000) ? LONG_VALUE_BYTES : random.nextInt(60));
      put.add(
          new KeyValue(row, family.getName(), qualifier(family), timestamp, value, randomTags()));
    }
    return put;
  }

  /** Returns a put that is older than any range of a read. */
  static Put putBeforeAllRanges(ColumnFamilyDescriptor family) {
    return new Put(Bytes.toBytes("row0"))
        .addColumn(family.getName(), Bytes.toBytes("old"), 0, Bytes.toBytes("old"));
  }

  private Tag[] randomTags() {
    Tag[] tags = new Tag[oneIn(4) ? 1 + random.nextInt(3) : 0];
    for (int i = 0; i < tags.length; i++) {
      boolean isLong = i == 0 && oneIn(20);
      // Types from 64 on are not HBase's.
      tags[i] =
          new ArrayBackedTag((byte) (70 + i), bytes(isLong ? LONG_TAG_BYTES : random.nextInt(30)));
    }
    return tags;
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    Arrays.fill(bytes, (byte) random.nextInt());
    return bytes;
  }

  Get get() throws IOException {
    Get get = new Get(row()).readVersions(1 + random.nextInt(4));
    for (int i = random.nextInt(3); i > 0; i--) {
      ColumnFamilyDescriptor family = family();
      if (mayNameColumn(family)) {
        get.addColumn(family.getName(), qualifier(family));
      }
    }
    if (oneIn(3)) {
      long from = pastTick();
      get.setTimeRange(from, endOfRange(from, scope));
    }
    return get;
  }

  private long pastTick() {
    return tick(TICKS_MAX - random.nextInt(PAST_TICKS));
  }

  /** A range with an end shows the versions beneath those that are behind it. */
  private long endOfRange(long from, Scope scope) {
    return scope == Scope.ALL ? from + (1 + random.nextInt(40)) * TICK_MILLIS : Long.MAX_VALUE;
  }

  Scan scan() throws IOException {
    Scan scan = new Scan().setReversed(oneIn(3));
    if (oneIn(2)) {
      scan.withStartRow(row(), oneIn(2));
    }
    if (oneIn(4)) {
      scan.withStopRow(row(), oneIn(2));
    }
    if (oneIn(4)) {
      scan.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    }
    if (scope == Scope.ALL && oneIn(4)) {
      scan.setRaw(true).readAllVersions();
    } else {
      scan.readVersions(1 + random.nextInt(4));
      addColumns(scan);
    }
    if (oneIn(5)) {
      scan.setBatch(1 + random.nextInt(3));
    }
    if (oneIn(8)) {
      scan.setMaxResultsPerColumnFamily(1 + random.nextInt(3));
      scan.setRowOffsetPerColumnFamily(random.nextInt(2));
    }
    addTimeRange(scan);
    Filter filter = filter();
    return filter == null ? scan : scan.setFilter(filter);
  }

  /** Returns a scan of a range behind which the newest segments may be as a whole. */
  Scan scanUpToShortlyBeforeNow(ColumnFamilyDescriptor family) throws IOException {
    return new Scan()
        .addFamily(family.getName())
        .readVersions(1 + random.nextInt(4))
        .setTimeRange(1, tick(-random.nextInt(2 * TICKS_MAX)));
  }

  private void addColumns(Scan scan) {
    for (int i = random.nextInt(3); i > 0; i--) {
      ColumnFamilyDescriptor family = family();
      if (mayNameColumn(family) && !oneIn(4)) {
        scan.addColumn(family.getName(), qualifier(family));
      } else {
        scan.addFamily(family.getName());
      }
    }
  }

  /**
   * Of a column that is named HBase returns an expired version, if it is there, beyond the least.
   */
  private boolean mayNameColumn(ColumnFamilyDescriptor family) {
    return scopeOf(family) == Scope.ALL || family.getMinVersions() == 0;
  }

  private void addTimeRange(Scan scan) throws IOException {
    if (oneIn(2)) {
      long from = pastTick();
      if (oneIn(2)) {
        scan.setTimeRange(from, endOfRange(from, scope));
      } else {
        ColumnFamilyDescriptor family = family();
        scan.setColumnFamilyTimeRange(family.getName(), from, endOfRange(from, scopeOf(family)));
      }
    }
  }

  /**
   * Returns a filter that gives hints where to read on, or null. Paging filters are left out: HBase
   * itself may not return from them.
   */
  private @Nullable Filter filter() throws IOException {
    return switch (random.nextInt(12)) {
      case 0 -> new FirstKeyOnlyFilter();
      case 1 ->
          new FuzzyRowFilter(
              new ArrayList<>(
                  List.of(new Pair<>(Bytes.toBytes("row?1"), new byte[] {0, 0, 0, 1, 0}))));
      case 2 ->
          new MultiRowRangeFilter(
              new ArrayList<>(
                  List.of(
                      new RowRange("row1", true, "row11", true),
                      new RowRange("row3", false, "row7", false))));
      case 3, 4, 5 -> scope == Scope.ALL ? filterWithinRows() : null;
      default -> null;
    };
  }

  /**
   * Returns a filter that skips cells of a row, and with the column without a name the markers of
   * the family: HBase itself then returns what these delete, unless it was dropped.
   */
  private Filter filterWithinRows() {
    return switch (random.nextInt(3)) {
      case 0 -> new ColumnRangeFilter(Bytes.toBytes("q1"), true, Bytes.toBytes("q3"), false);
      case 1 ->
          new MultipleColumnPrefixFilter(
              new byte[][] {Bytes.toBytes("q1"), Bytes.toBytes("q3"), Bytes.toBytes("te")});
      default -> new TimestampsFilter(Stream.generate(this::pastTick).limit(5).toList(), true);
    };
  }
}
