// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.Cell;
import io.accordiondb.cell.CellComparator;
import io.accordiondb.cell.CellCursor;
import io.accordiondb.cell.CellSource;
import io.accordiondb.cell.CellType;
import io.accordiondb.cell.KeyValueLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Finds the newest version of one column without merging the sources: it asks them one after
 * another, newest first, and leaves out every source that cannot hold anything newer than what was
 * found. Where timestamps come from the clock, the first source that has the column ends the
 * search.
 *
 * <p>It does not judge delete markers, nor versions kept beyond their time to live; when it meets a
 * source with such, it leaves the column to {@link FamilyReader}.
 */
final class PointReader {
  private PointReader() {}

  /**
   * Adds the newest visible version of a column, if there is one.
   *
   * @return false when the column must be read by merging; then nothing was added
   */
  static boolean read(
      StoreView view, byte[] row, byte[] qualifier, ReadOptions options, List<Cell> target)
      throws IOException {
    if (view.rules().minVersions() > 0) {
      return false;
    }
    CellKey key = CellKey.firstOfColumn(row, qualifier);
    Cell newest = null;
    long newestSequence = 0;
    for (CellSource source : view.sources()) {
      if (newest != null
          && source.maxTimestamp() <= newest.timestamp()
          && source.maxSequence() < newestSequence) {
        continue;
      }
      if (!source.mayContainRow(key.buffer(), 0)) {
        continue;
      }
      if (source.deleteMarkerCount() > 0) {
        return false;
      }
      if (!source.mayContainColumn(key.buffer(), 0)) {
        continue;
      }
      try (CellCursor cursor = source.cursor()) {
        if (seekVisible(cursor, key, options.readPoint())) {
          ByteBuffer buffer = cursor.buffer();
          int offset = cursor.offset();
          assert KeyValueLayout.typeCode(buffer, offset) == CellType.PUT.code();
          long timestamp = KeyValueLayout.timestamp(buffer, offset);
          if (newest == null
              || timestamp > newest.timestamp()
              || (timestamp == newest.timestamp() && cursor.sequenceNumber() > newestSequence)) {
            newest = FamilyReader.toCell(row, view.family(), buffer, offset);
            newestSequence = cursor.sequenceNumber();
          }
        }
      }
    }
    if (newest != null
        && newest.timestamp() >= view.rules().oldestLiveTimestamp(options.nowMillis())) {
      target.add(newest);
    }
    return true;
  }

  /**
   * Moves to the first cell of the key's column that the reader sees; returns whether it exists.
   */
  private static boolean seekVisible(CellCursor cursor, CellKey key, long readPoint)
      throws IOException {
    boolean found = cursor.seek(key.buffer(), 0);
    while (found
        && CellComparator.compareColumns(cursor.buffer(), cursor.offset(), key.buffer(), 0) == 0) {
      if (cursor.sequenceNumber() <= readPoint) {
        return true;
      }
      found = cursor.next();
    }
    return false;
  }
}
