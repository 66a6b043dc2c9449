// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.PrefixCursor;
import java.nio.ByteBuffer;

/**
 * Iterates over a skip list while writers insert. It returns cells in their order and each cell at
 * most once. It may see cells that are inserted ahead of its position; the reader decides by their
 * sequence numbers which of them count. Belongs to one thread.
 */
final class SkipListCursor implements PrefixCursor {
  private final SkipList list;
  private final SharedStats stats;
  private final ChunkPool pool;
  private int node;
  private int version;
  private ByteBuffer buffer = NOWHERE;
  private int position;

  SkipListCursor(SkipList list, SharedStats stats, ChunkPool pool) {
    this.list = list;
    this.stats = stats;
    this.pool = pool;
  }

  @Override
  public boolean seekToFirst() {
    return moveToNode(list.first());
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    if (!moveToNode(list.firstAtOrAfter(key, keyOffset))) {
      return false;
    }
    if (CellComparator.compareColumns(buffer, offset(), key, keyOffset) != 0) {
      return true;
    }
    // A seek to the end of a column must not walk over all of its versions.
    boolean beyond = KeyValueLayout.timestamp(key, keyOffset) < stats.minTimestamp();
    while (!beyond && CellComparator.compareVersions(buffer, offset(), key, keyOffset) < 0) {
      beyond = !moveToVersion(list.nextVersion(version));
    }
    return !beyond || moveToNode(list.next(node));
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    if (moveToNode(list.firstAtOrAfter(key, keyOffset)) && isBefore(key, keyOffset)) {
      // Walk over the versions of the key's own column.
      int last = version;
      while (moveToVersion(list.nextVersion(last)) && isBefore(key, keyOffset)) {
        last = version;
      }
      return moveToVersion(last);
    }
    return moveToNode(list.lastBefore(key, keyOffset)) && moveToVersion(list.lastVersion(version));
  }

  /** A row may have any number of versions, of which the last one is the farthest. */
  @Override
  public boolean seekRowBefore(ByteBuffer key, int keyOffset) {
    return (moveToNode(list.firstAtOrAfter(key, keyOffset)) && isBefore(key, keyOffset))
        || moveToNode(list.lastBefore(key, keyOffset));
  }

  @Override
  public boolean next() {
    return moveToVersion(list.nextVersion(version)) || moveToNode(list.next(node));
  }

  private boolean moveToNode(int target) {
    node = target;
    return target != 0 && moveToVersion(list.firstVersion(target));
  }

  /** Moves to a version of the current node, if there is one. */
  private boolean moveToVersion(int target) {
    if (target == 0) {
      return false;
    }
    version = target;
    int reference = list.reference(target);
    buffer = pool.buffer(reference);
    position = pool.position(reference);
    return true;
  }

  private boolean isBefore(ByteBuffer key, int keyOffset) {
    return CellComparator.compareKeys(buffer, offset(), key, keyOffset) < 0;
  }

  @Override
  public boolean isRecord() {
    return true;
  }

  @Override
  public long prefix(KeyPrefix keyPrefix) {
    return KeyPrefix.shortened(
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
