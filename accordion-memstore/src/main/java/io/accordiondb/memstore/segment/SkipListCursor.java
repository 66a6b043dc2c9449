// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.ChunkPool;
import java.nio.ByteBuffer;

/** Walks over a skip list, and sees what writers link ahead of it meanwhile. */
final class SkipListCursor implements PrefixCursor {
  private final SkipList list;
  private final ChunkPool pool;
  private int node;
  private ByteBuffer buffer = NOWHERE;
  private int position;

  SkipListCursor(SkipList list, ChunkPool pool) {
    this.list = list;
    this.pool = pool;
  }

  @Override
  public boolean seekToFirst() {
    return moveTo(list.first());
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    return moveTo(list.firstAtOrAfter(key, keyOffset));
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    return moveTo(list.lastBefore(key, keyOffset));
  }

  @Override
  public boolean next() {
    return moveTo(list.next(node));
  }

  private boolean moveTo(int target) {
    node = target;
    if (target == 0) {
      return false;
    }
    int reference = list.reference(target);
    buffer = pool.buffer(reference);
    position = pool.position(reference);
    return true;
  }

  @Override
  public boolean isRecord() {
    return true;
  }

  @Override
  public long prefix(KeyPrefix keyPrefix) {
    return FlatIndexLayout.shortened(
        keyPrefix.equals(list.keyPrefix())
            ? list.prefix(node)
            : keyPrefix.of(buffer, CellRecord.cellOffset(position)));
  }

  @Override
  public boolean isValid() {
    return node != 0;
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
