// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/**
 * What a sorted table says about itself. Immutable, provided that the two cells are not written to.
 *
 * @param fileNumber number that the writer gave to the file
 * @param fileBytes length of the file
 * @param cellCount cells; at least 1
 * @param markerCount cells that hide others, or will: delete markers of any kind, operands, and
 *     puts with a time to live of their own
 * @param familyMarkerCount cells that are delete markers of a whole family, in all its versions or
 *     one
 * @param firstCell key of the first cell, serialised with an empty value, at offset 0
 * @param lastCell key of the last cell, likewise
 * @param timestampMin smallest timestamp
 * @param timestampMax largest timestamp
 * @param sequenceMin smallest sequence number
 * @param sequenceMax largest sequence number
 * @param keyBytes bytes of all keys before prefix coding and compression
 * @param valueBytes bytes of all values before compression
 * @param dataBlockCount data blocks
 * @param dataBytes bytes of the data blocks in the file, with their trailers
 * @param indexBytes bytes of the index blocks and the root in the file, with their trailers
 * @param filterBytes bytes of the filter blocks and their index in the file, with their trailers
 * @param filterKeyCount rows or columns in the filter; 0 if there is none
 * @param compression the compression requested when the file was written; single blocks may be
 *     stored uncompressed
 * @param bloomKind what the filter contains
 * @param indexLevels 1 if the root points at data blocks, 2 if it points at index blocks
 * @param owner the owner of the table when it was written, from 0 to the limit, in a form that the
 *     writer chose; empty if it is not recorded
 * @param appliedUpTo range tombstones up to this sequence number delete no cell; {@link
 *     Long#MAX_VALUE} if that is so up to the newest cell, or is not recorded
 */
public record SortedTableProperties(
    long fileNumber,
    long fileBytes,
    long cellCount,
    long markerCount,
    long familyMarkerCount,
    ByteBuffer firstCell,
    ByteBuffer lastCell,
    long timestampMin,
    long timestampMax,
    long sequenceMin,
    long sequenceMax,
    long keyBytes,
    long valueBytes,
    long dataBlockCount,
    long dataBytes,
    long indexBytes,
    long filterBytes,
    long filterKeyCount,
    Compression compression,
    BloomKind bloomKind,
    int indexLevels,
    ByteBuffer owner,
    long appliedUpTo) {

  /** Returns a copy of the first row. */
  public byte[] firstRow() {
    return KeyValueLayout.row(firstCell, 0);
  }

  /** Returns a copy of the last row. */
  public byte[] lastRow() {
    return KeyValueLayout.row(lastCell, 0);
  }
}
