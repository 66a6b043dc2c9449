// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellCursor;
import io.accordiondb.internal.cache.BlockBuffer;
import io.accordiondb.internal.pool.Pool;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the cells of a table. Belongs to one thread; holds a reference to its table until
 * it is closed. After an {@link IOException} the cursor is on no cell.
 */
final class SortedTableCursor implements CellCursor {
  private static final long NO_BLOCK = -1;

  /** A cursor of blocks that keeps more memory is not used again. */
  private static final int POOLED_BYTES_MAX = 16 << 10;

  /** Cursors of blocks, because making one takes part of the time of a short scan. */
  private static final Pool<CellBlockCursor> POOL = new Pool<>(CellBlockCursor::new);

  /** Stands in for the one that a closed cursor has given back. */
  private static final CellBlockCursor CLOSED = new CellBlockCursor();

  private final SortedTable table;
  private final BlockInput input;
  private final boolean fillCache;
  private final IndexCursor index;
  private final BlockBuffer buffer;
  private final @Nullable ReadAhead ahead;
  private CellBlockCursor data = POOL.take();

  /** File offset of the block in {@link #data}. */
  private long blockOffset = NO_BLOCK;

  private boolean closed;

  /** Creates a cursor that takes over one reference to the table. */
  SortedTableCursor(SortedTable table, BlockInput input, IndexCursor index, boolean fillCache) {
    this.table = table;
    this.input = input;
    this.index = index;
    this.fillCache = fillCache;
    buffer = input.takeBuffer();
    ahead = input.newReadAhead();
  }

  @Override
  public boolean seekToFirst() throws IOException {
    begin();
    index.seekToFirst();
    loadBlock();
    data.seekToFirst();
    return true;
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) throws IOException {
    begin();
    LookupKey sought = LookupKey.of(key, keyOffset);
    if (blockOffset != NO_BLOCK && data.seekNearby(sought)) {
      return true;
    }
    if (!index.seek(sought)) {
      return false;
    }
    loadBlock();
    return data.seek(sought) || nextBlockAfter(key, keyOffset);
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) throws IOException {
    begin();
    LookupKey sought = LookupKey.of(key, keyOffset);
    if (blockOffset != NO_BLOCK && data.seekBeforeNearby(sought)) {
      return true;
    }
    if (!index.seek(sought)) {
      index.seekToLast();
    }
    loadBlock();
    if (data.seekBefore(sought)) {
      return true;
    }
    if (!index.previous()) {
      return false;
    }
    loadBlock();
    return data.seekBefore(sought);
  }

  @Override
  public boolean startsRow() throws IOException {
    return data.startsRow();
  }

  @Override
  public boolean previous() throws IOException {
    data.previous();
    return true;
  }

  @Override
  public boolean next() throws IOException {
    if (!data.isValid()) {
      throw new IllegalStateException("the cursor stands on no cell");
    }
    return data.next() || nextBlock();
  }

  @Override
  public boolean isValid() {
    return data.isValid();
  }

  @Override
  public ByteBuffer buffer() {
    return data.buffer();
  }

  @Override
  public int offset() {
    return data.offset();
  }

  @Override
  public int length() {
    return data.length();
  }

  @Override
  public long sequenceNumber() {
    return data.sequenceNumber();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      data.clear();
      if (data.keptBytes() <= POOLED_BYTES_MAX) {
        POOL.giveBack(data);
      }
      data = CLOSED;
      input.giveBack(buffer);
      if (ahead != null) {
        ahead.clear();
      }
      table.release();
    }
  }

  private void begin() {
    if (closed) {
      throw new IllegalStateException("the cursor is closed");
    }
    data.invalidate();
  }

  private boolean nextBlock() throws IOException {
    if (!index.next()) {
      return false;
    }
    loadBlock();
    data.seekToFirst();
    return true;
  }

  /** Moves to the block behind the one that, by the index, is the only one to hold a key. */
  private boolean nextBlockAfter(ByteBuffer key, int keyOffset) throws IOException {
    if (!nextBlock()) {
      return false;
    }
    if (CellComparator.compareKeys(data.buffer(), data.offset(), key, keyOffset) < 0) {
      String found = KeyText.of(data.buffer(), data.offset(), data.sequenceNumber());
      data.invalidate();
      // Readers seek again if they stand before what they seek.
      throw new CorruptionException(
          table.name(), blockOffset, "cells from " + KeyText.of(key, keyOffset, 0) + " on", found);
    }
    return true;
  }

  private void loadBlock() throws IOException {
    BlockHandle handle = index.handle();
    if (blockOffset == NO_BLOCK || handle.offset() != blockOffset) {
      blockOffset = NO_BLOCK;
      data.reset(input.read(handle, fillCache, buffer, ahead));
      blockOffset = handle.offset();
    }
  }
}
