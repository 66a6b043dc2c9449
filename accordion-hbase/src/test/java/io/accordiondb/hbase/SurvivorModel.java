// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** All cells of a region, and which of them a crash must leave. Belongs to one thread. */
final class SurvivorModel {
  /** A transaction of cells that the log lacks. */
  static final long UNLOGGED = Long.MAX_VALUE;

  /** In the order of their sequence numbers. */
  private List<Written> cells = new ArrayList<>();

  /** For each family, the sequence number up to which all cells are in files. */
  private final Map<String, Long> flushed = new HashMap<>();

  private record Written(long sequence, long transaction, Cell cell) {
    String family() {
      return Bytes.toString(CellUtil.cloneFamily(cell));
    }
  }

  void write(long sequence, long transaction, Collection<Cell> written) {
    written.forEach(cell -> cells.add(new Written(sequence, transaction, cell)));
  }

  /** Notes that all cells of a family so far are in files. */
  void flush(String family) {
    cells.stream()
        .filter(written -> written.family().equals(family))
        .mapToLong(Written::sequence)
        .max()
        .ifPresent(sequence -> flushed.put(family, sequence));
  }

  private boolean isFlushed(Written written) {
    return written.sequence() <= flushed.getOrDefault(written.family(), 0L);
  }

  /** Returns all cells by their sequence numbers. */
  Map<Long, List<Cell>> all() {
    Map<Long, List<Cell>> found = new TreeMap<>();
    cells.forEach(
        written ->
            found
                .computeIfAbsent(written.sequence(), sequence -> new ArrayList<>())
                .add(written.cell()));
    return found;
  }

  /**
   * Returns the cells that the log has after a crash, as the master leaves them.
   *
   * @param synced the last transaction that the crash leaves
   * @param notNeededUpTo the sequence numbers up to which cells were reported as not needed
   */
  Map<Long, List<Cell>> inLog(long synced, Map<String, Long> notNeededUpTo) {
    Map<Long, List<Cell>> found = new TreeMap<>();
    for (Written written : cells) {
      if (written.transaction() <= synced
          && written.sequence() > notNeededUpTo.getOrDefault(written.family(), -1L)) {
        found
            .computeIfAbsent(written.sequence(), sequence -> new ArrayList<>())
            .add(written.cell());
      }
    }
    return found;
  }

  /** Forgets what a crash takes, and takes the rest as flushed, as it is after a replay. */
  void crash(long synced) {
    List<Written> left = new ArrayList<>();
    for (Written written : cells) {
      if (isFlushed(written) || written.transaction() <= synced) {
        left.add(new Written(written.sequence(), UNLOGGED, written.cell()));
      }
    }
    cells = left;
    left.stream().map(Written::family).distinct().forEach(this::flush);
  }
}
