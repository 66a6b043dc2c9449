// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.KeyPrefix;
import java.nio.ByteBuffer;

/**
 * Iterates over the index of a flat segment. It reads a cell only where the prefixes of the index
 * do not decide. Belongs to one thread, which must hold the segment.
 */
public final class FlatCursor implements ColumnCursor {
  private final FlatSegment segment;
  private final ChunkPool pool;
  private final int entriesPerChunk;
  private ByteBuffer chunk;
  private int chunkNumber;
  private int entryInChunk;
  private int entriesInChunk;
  private ByteBuffer buffer = NOWHERE;
  private int position;
  private boolean valid;

  FlatCursor(FlatSegment segment) {
    this.segment = segment;
    this.pool = segment.pool();
    this.entriesPerChunk = segment.entriesPerChunk();
    this.chunk = segment.indexChunk(0);
  }

  @Override
  public boolean seekToFirst() {
    return moveTo(0);
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    // A downward walk seeks the row that it has found.
    return moveTo(countBefore(key, keyOffset, here()));
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    // A downward walk is behind the row that it has read, which mostly has one cell.
    return moveTo(countBefore(key, keyOffset, here() - 1) - 1);
  }

  @Override
  public boolean startsRow() {
    int here = here();
    return here == 0
        || segment.prefix(here - 1) != segment.prefix(here)
        || segment.compareRow(here - 1, buffer, offset()) != 0;
  }

  @Override
  public boolean previous() {
    return moveTo(here() - 1);
  }

  private int countBefore(ByteBuffer key, int keyOffset, int guess) {
    return valid && guess >= 0
        ? segment.countBefore(key, keyOffset, guess)
        : segment.countBefore(key, keyOffset);
  }

  private int here() {
    return chunkNumber * entriesPerChunk + entryInChunk;
  }

  @Override
  public boolean next() {
    if (++entryInChunk < entriesInChunk) {
      return readEntry();
    }
    return moveTo(here());
  }

  private boolean moveTo(int entry) {
    valid = entry >= 0 && entry < segment.size();
    if (!valid) {
      return false;
    }
    chunkNumber = entry / entriesPerChunk;
    chunk = segment.indexChunk(chunkNumber);
    entryInChunk = entry - chunkNumber * entriesPerChunk;
    entriesInChunk = Math.min(entriesPerChunk, segment.size() - chunkNumber * entriesPerChunk);
    return readEntry();
  }

  private boolean readEntry() {
    int reference = FlatIndexLayout.reference(chunk, entryInChunk * FlatIndexLayout.ENTRY_BYTES);
    buffer = pool.buffer(reference);
    position = pool.position(reference);
    return true;
  }

  @Override
  public boolean isRecord() {
    return true;
  }

  @Override
  public boolean continuesColumn() {
    return FlatIndexLayout.continuesColumn(chunk, entryInChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  @Override
  public long prefix(KeyPrefix keyPrefix) {
    return keyPrefix.equals(segment.keyPrefix())
        ? FlatIndexLayout.prefix(chunk, entryInChunk * FlatIndexLayout.ENTRY_BYTES)
        : KeyPrefix.shortened(keyPrefix.of(buffer, offset()));
  }

  /** Returns the reference of the current cell's record. */
  public int reference() {
    return FlatIndexLayout.reference(chunk, entryInChunk * FlatIndexLayout.ENTRY_BYTES);
  }

  @Override
  public boolean isValid() {
    return valid;
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  @Override
  public int offset() {
    return CellRecord.cellOffset(position);
  }

  @Override
  public int length() {
    return CellRecord.cellLength(buffer, position);
  }

  @Override
  public long sequenceNumber() {
    return CellRecord.sequence(buffer, position);
  }
}
