// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * Computes the properties of a table from its cells and blocks, both when the table is written and
 * when it is verified. Belongs to one thread.
 */
final class PropertiesCollector {
  private final LastKey first = new LastKey();
  private long cellCount;
  private long markerCount;
  private long familyMarkerCount;
  private long timestampMin = Long.MAX_VALUE;
  private long timestampMax = Long.MIN_VALUE;
  private long sequenceMin = Long.MAX_VALUE;
  private long sequenceMax = Long.MIN_VALUE;
  private long keyBytes;
  private long valueBytes;
  private long dataBlockCount;
  private long dataBytes;
  private ByteBuffer owner = ByteBuffer.allocate(0);
  private long appliedUpTo = Long.MAX_VALUE;

  /**
   * Adds the next cell.
   *
   * @param expires whether it has a time to live of its own, so that it becomes a marker
   */
  void add(LastKey key, int valueLength, boolean expires) {
    ByteBuffer cell = key.cell();
    long sequence = key.sequence();
    if (cellCount == 0) {
      first.set(cell, 0, 0, sequence);
    }
    cellCount++;
    int typeCode = KeyValueLayout.typeCode(cell, 0);
    if (typeCode != CellType.PUT.code()) {
      markerCount++;
      if (typeCode == CellType.DELETE_FAMILY.code()
          || typeCode == CellType.DELETE_FAMILY_VERSION.code()) {
        familyMarkerCount++;
      }
    } else if (expires) {
      markerCount++;
    }
    long timestamp = KeyValueLayout.timestamp(cell, 0);
    timestampMin = Math.min(timestampMin, timestamp);
    timestampMax = Math.max(timestampMax, timestamp);
    sequenceMin = Math.min(sequenceMin, sequence);
    sequenceMax = Math.max(sequenceMax, sequence);
    keyBytes += KeyValueLayout.keyLength(cell, 0);
    valueBytes += valueLength;
  }

  /** Sets the owner. */
  void setOwner(ByteBuffer newOwner) {
    owner = newOwner;
  }

  /** Sets up to which sequence number range tombstones delete no cell. */
  void setAppliedUpTo(long sequence) {
    appliedUpTo = sequence;
  }

  /** Adds the next data block. */
  void addBlock(BlockHandle block) {
    dataBlockCount++;
    dataBytes += block.fileBytes();
  }

  long cellCount() {
    return cellCount;
  }

  /**
   * Returns the properties of all added cells and blocks, with the given values. At least one cell
   * must have been added.
   */
  SortedTableProperties finish(
      long fileNumber,
      long fileBytes,
      LastKey last,
      long indexBytes,
      long filterBytes,
      long filterKeyCount,
      Compression compression,
      BloomKind bloomKind,
      int indexLevels) {
    return new SortedTableProperties(
        fileNumber,
        fileBytes,
        cellCount,
        markerCount,
        familyMarkerCount,
        first.copy(),
        last.copy(),
        timestampMin,
        timestampMax,
        sequenceMin,
        sequenceMax,
        keyBytes,
        valueBytes,
        dataBlockCount,
        dataBytes,
        indexBytes,
        filterBytes,
        filterKeyCount,
        compression,
        bloomKind,
        indexLevels,
        owner,
        appliedUpTo < sequenceMax ? appliedUpTo : Long.MAX_VALUE);
  }
}
