// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellSource;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the scanner of an older segment which of its cells this segment has, too. The scanner asks
 * mostly in the order of the cells, so one cursor moves along and seldom searches. Belongs to one
 * thread, which must hold both segments.
 */
final class NewerSegment implements Closeable {
  private final CellSource source;
  private @Nullable CellCursor cursor;

  /** The key that was last sought; none is between it and the cell that the cursor is on. */
  private @Nullable ByteBuffer soughtBuffer;

  private int soughtOffset;
  private boolean standing;

  NewerSegment(CellSource source) {
    this.source = source;
  }

  /**
   * Returns whether the segment has a cell with a key and a sequence number.
   *
   * @param buffer has the key, and keeps it until this object is closed
   */
  boolean has(ByteBuffer buffer, int offset, long sequence) throws IOException {
    if (sequence < source.minSequence() || sequence > source.maxSequence()) {
      return false;
    }
    CellCursor found = cursor;
    if (found == null || !isBetween(buffer, offset, found)) {
      if (!source.mayContainRow(buffer, offset)) {
        return false;
      }
      found = seek(buffer, offset);
    }
    while (standing
        && CellComparator.compareKeys(found.buffer(), found.offset(), buffer, offset) == 0) {
      if (found.sequenceNumber() == sequence) {
        return true;
      }
      // Passed, so the same key with another sequence number must be sought again.
      soughtBuffer = buffer;
      soughtOffset = offset;
      standing = found.next();
    }
    return false;
  }

  /** Returns whether a key is behind the last one, but not behind the cell of the cursor. */
  private boolean isBetween(ByteBuffer buffer, int offset, CellCursor found) {
    ByteBuffer sought = soughtBuffer;
    return sought != null
        && CellComparator.compareKeys(sought, soughtOffset, buffer, offset) < 0
        && (!standing
            || CellComparator.compareKeys(found.buffer(), found.offset(), buffer, offset) >= 0);
  }

  private CellCursor seek(ByteBuffer buffer, int offset) throws IOException {
    CellCursor found = cursor;
    if (found == null) {
      found = source.cursor();
      cursor = found;
    }
    standing = found.seek(buffer, offset);
    soughtBuffer = buffer;
    soughtOffset = offset;
    return found;
  }

  @Override
  public void close() {
    if (cursor != null) {
      cursor.close();
    }
  }
}
