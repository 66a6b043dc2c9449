// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.data;

import io.accordiondb.Bound;
import io.accordiondb.Cell;
import io.accordiondb.Database;
import io.accordiondb.Get;
import io.accordiondb.Query;
import io.accordiondb.Snapshot;
import io.accordiondb.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.TimeRange;
import org.jspecify.annotations.Nullable;

/**
 * How HBase's scan, or its get as a scan of one row, is read from the database: by one query, or by
 * several if families have time ranges of their own. With a filter the queries return all versions
 * that the families keep, because HBase counts the wanted versions after the filter.
 */
final class ReadPlan {
  private static final byte[] NO_BYTES = {};

  private final Scan scan;
  private final List<Part> parts;

  /** What one query reads: columns by family, null for all columns; all families if empty. */
  private record Part(
      NavigableMap<byte[], @Nullable NavigableSet<byte[]>> columns, TimeRange range) {}

  /** Creates the plan of a scan, which must not be changed afterwards. */
  ReadPlan(Scan scan, TableDescriptor table) {
    this.scan = scan;
    this.parts = parts(scan, table);
  }

  private static List<Part> parts(Scan scan, TableDescriptor table) {
    Map<byte[], NavigableSet<byte[]>> wanted = scan.getFamilyMap();
    Map<byte[], TimeRange> ranges = scan.getColumnFamilyTimeRange();
    if (ranges.isEmpty()) {
      return List.of(new Part(copy(wanted), scan.getTimeRange()));
    }
    NavigableMap<byte[], @Nullable NavigableSet<byte[]>> all = copy(wanted);
    if (all.isEmpty()) {
      for (byte[] family : table.getColumnFamilyNames()) {
        all.put(family, null);
      }
    }
    List<Part> parts = new ArrayList<>();
    all.forEach(
        (family, columns) -> {
          TimeRange range = ranges.getOrDefault(family, scan.getTimeRange());
          Part part = partOf(parts, range);
          part.columns.put(family, columns);
        });
    return parts;
  }

  private static Part partOf(List<Part> parts, TimeRange range) {
    for (Part part : parts) {
      if (part.range.getMin() == range.getMin() && part.range.getMax() == range.getMax()) {
        return part;
      }
    }
    Part added = new Part(new TreeMap<>(Arrays::compareUnsigned), range);
    parts.add(added);
    return added;
  }

  private static NavigableMap<byte[], @Nullable NavigableSet<byte[]>> copy(
      Map<byte[], NavigableSet<byte[]>> columns) {
    NavigableMap<byte[], @Nullable NavigableSet<byte[]>> copy =
        new TreeMap<>(Arrays::compareUnsigned);
    copy.putAll(columns);
    return copy;
  }

  /** Returns the cells of the scan's start row, before filters and limits. */
  List<Cell> readRow(Table table, Snapshots snapshots) throws IOException {
    if (parts.size() == 1) {
      return table.get(get(parts.get(0), null)).cells();
    }
    List<Cell> cells = new ArrayList<>();
    try (Snapshots.Held held = snapshots.take()) {
      for (Part part : parts) {
        cells.addAll(table.get(get(part, held.snapshot())).cells());
      }
    }
    MergedRows.inOrder(cells);
    return cells;
  }

  /** Begins to read the rows of the scan, before filters and limits. */
  RowSource open(Table table, Database database) throws IOException {
    boolean seeks = scan.getFilter() != null;
    if (parts.size() == 1) {
      return EngineRows.open(table, engineScan(parts.get(0), null), seeks);
    }
    List<RowSource> sources = new ArrayList<>();
    // A scan that has begun holds its moment itself.
    try (Snapshot snapshot = database.snapshot()) {
      for (Part part : parts) {
        sources.add(EngineRows.open(table, engineScan(part, snapshot), false));
      }
      return new MergedRows(sources, scan.isReversed());
    } catch (IOException | RuntimeException e) {
      sources.forEach(RowSource::close);
      throw e;
    }
  }

  private Get get(Part part, @Nullable Snapshot snapshot) {
    return select(new Get(scan.getStartRow()), part, snapshot);
  }

  private io.accordiondb.Scan engineScan(Part part, @Nullable Snapshot snapshot) {
    io.accordiondb.Scan query = select(new io.accordiondb.Scan(), part, snapshot);
    byte[] start = scan.getStartRow();
    byte[] stop = scan.getStopRow();
    return query
        .setRaw(scan.isRaw())
        .setStartRow(start == null ? NO_BYTES : start, bound(scan.includeStartRow()))
        .setStopRow(stop == null ? NO_BYTES : stop, bound(scan.includeStopRow()))
        .setReversed(scan.isReversed());
  }

  private static Bound bound(boolean inclusive) {
    return inclusive ? Bound.INCLUSIVE : Bound.EXCLUSIVE;
  }

  private <Q extends Query<Q>> Q select(Q query, Part part, @Nullable Snapshot snapshot) {
    part.columns.forEach(
        (family, columns) -> {
          if (columns == null || columns.isEmpty()) {
            query.addFamily(family);
          } else {
            columns.forEach(column -> query.addColumn(family, column));
          }
        });
    query
        .setTimeRange(part.range.getMin(), part.range.getMax())
        .setCacheBlocks(scan.getCacheBlocks())
        .setSnapshot(snapshot);
    return scan.getFilter() == null
        ? query.setVersions(Math.max(1, scan.getMaxVersions()))
        : query.setAllVersions();
  }
}
