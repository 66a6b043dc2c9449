// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * The uncommitted cells of one writer, in the order in which they were written and, for each family
 * of a table, in the order of cells. Only their writer sees them, through a {@link PendingView},
 * whose readers may continue while cells are added. Belongs to one thread.
 *
 * <p>Each cell has a sequence number above all real ones, so that it is newer than every committed
 * cell. A number is never used twice, not even after {@link #truncate}. It is odd if the timestamp
 * of the cell is a placeholder; such a cell does not expire.
 *
 * <p>If a truncation fails, every later call first completes it, so no removed cell is committed.
 */
public final class PendingCells {
  private static final byte[] NO_FAMILY = {};

  /** All sequence numbers of the log are below this one. */
  private static final long FIRST_SEQUENCE = Long.MAX_VALUE / 2;

  /** A family of a table. The numbers identify it as long as neither is dropped. */
  public record Family(long tableId, long familyId) {}

  /**
   * A cell.
   *
   * @param table the name of its table
   * @param buffer the serialised cell, with its tags, at offset 0 and up to its capacity
   * @param undated whether its timestamp is a placeholder for that of the commit
   */
  public record PendingCell(
      Family family,
      String table,
      byte[] familyName,
      ByteBuffer buffer,
      long sequence,
      boolean undated) {}

  /** A cell, or a key to search with, in the order of its family. */
  record Position(ByteBuffer buffer, int offset, long sequence, boolean undated)
      implements Comparable<Position> {
    @Override
    public int compareTo(Position other) {
      return CellComparator.compare(
          buffer, offset, sequence, other.buffer, other.offset, other.sequence);
    }
  }

  private final List<PendingCell> inOrder = new ArrayList<>();
  private final Map<Family, NavigableSet<Position>> byFamily = new HashMap<>();
  private long sequence = FIRST_SEQUENCE;
  private long bytes;
  private long truncations;

  /** How many cells a truncation leaves that has not ended yet. */
  private int kept = Integer.MAX_VALUE;

  /** Returns whether a sequence number is that of a pending cell without a final timestamp. */
  static boolean isUndated(long sequence) {
    return sequence > FIRST_SEQUENCE && (sequence & 1) == 1;
  }

  /** Adds a cell; its parts are copied. Their lengths have been checked. */
  public void add(
      Family family,
      String table,
      byte[] familyName,
      byte[] row,
      byte[] qualifier,
      long timestamp,
      CellType type,
      byte[] value,
      byte[] tags,
      boolean undated) {
    finishTruncation();
    boolean hasTags = tags.length > 0;
    int length = KeyValueLayout.length(row.length, 0, qualifier.length, value.length);
    ByteBuffer buffer =
        ByteBuffer.allocate(Math.addExact(length, hasTags ? Short.BYTES + tags.length : 0));
    KeyValueLayout.write(
        buffer, 0, row, NO_FAMILY, qualifier, timestamp, type.code() & 0xFF, value);
    if (hasTags) {
      CellTags.write(buffer, length, tags);
    }
    sequence = (sequence | 1) + (undated ? 2 : 1);
    PendingCell cell = new PendingCell(family, table, familyName, buffer, sequence, undated);
    NavigableSet<Position> cells =
        byFamily.computeIfAbsent(family, key -> new ConcurrentSkipListSet<>());
    Position position = positionOf(cell);
    inOrder.add(cell);
    bytes += buffer.capacity();
    // If this fails, the cell may be there or not; truncate then removes it from both.
    cells.add(position);
  }

  /** Returns the cells in the order in which they were added. */
  public List<PendingCell> cells() {
    finishTruncation();
    return Collections.unmodifiableList(inOrder);
  }

  /** Returns the bytes of all cells. */
  public long bytes() {
    return bytes;
  }

  /** Removes all but the first cells. */
  public void truncate(int count) {
    kept = Math.min(kept, count);
    if (inOrder.size() > kept) {
      truncations++;
    }
    finishTruncation();
  }

  private void finishTruncation() {
    for (int last = inOrder.size() - 1; last >= kept; last--) {
      PendingCell cell = inOrder.get(last);
      sortedCellsOf(cell.family).remove(positionOf(cell));
      bytes -= cell.buffer.capacity();
      inOrder.remove(last);
    }
    kept = Integer.MAX_VALUE;
  }

  /** Returns the cells as they are now; null if there are none. */
  public @Nullable PendingView view() {
    finishTruncation();
    return inOrder.isEmpty() ? null : new PendingView(this, sequence);
  }

  /** Returns how often cells were removed. */
  long truncations() {
    return truncations;
  }

  NavigableSet<Position> cellsOf(Family family) {
    finishTruncation();
    return sortedCellsOf(family);
  }

  private NavigableSet<Position> sortedCellsOf(Family family) {
    return byFamily.getOrDefault(family, Collections.emptyNavigableSet());
  }

  private static Position positionOf(PendingCell cell) {
    return new Position(cell.buffer, 0, cell.sequence, cell.undated);
  }
}
