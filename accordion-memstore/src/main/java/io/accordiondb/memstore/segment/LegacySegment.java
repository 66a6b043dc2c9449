// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.ReferenceCount;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;

/**
 * The legacy structure, which the paper calls NoCompaction: the JDK's concurrent skip list over
 * cells as plain objects. It stays as the baseline; it never becomes flat.
 */
public final class LegacySegment implements MutableSegment {
  private final MemoryAccount account;
  private final ConcurrentSkipListSet<LegacyCell> cells = new ConcurrentSkipListSet<>();
  private final WriterGate gate = new WriterGate();
  private final SharedStats stats = new SharedStats();
  private final ReferenceCount holders = new ReferenceCount();

  /** Creates an empty segment. */
  public LegacySegment(MemoryAccount account) {
    this.account = account;
  }

  @Override
  public boolean enter() {
    return gate.enter();
  }

  @Override
  public void exit() {
    gate.exit();
  }

  @Override
  public int insert(ByteBuffer source, int offset, int count, long firstSequence, CellRun run) {
    SegmentCounts batch = new SegmentCounts();
    int at = offset;
    for (int i = 0; i < count; i++) {
      int length = run.length(source, at);
      long sequence = run.sequence(firstSequence, i);
      cells.add(LegacyCell.copyOf(source, at, length, sequence));
      batch.add(source, at, length, sequence);
      at += run.step(source, at);
    }
    account.charge(bytesOf(batch.stats()));
    stats.add(batch);
    return count;
  }

  private static long bytesOf(SegmentStats stats) {
    return stats.dataBytes() + stats.cells() * LegacyCell.OVERHEAD_BYTES;
  }

  @Override
  public boolean isFull() {
    return false;
  }

  @Override
  public void seal() {
    gate.close();
  }

  @Override
  public boolean isQuiescent() {
    return gate.isQuiescent();
  }

  @Override
  public long heldBytes() {
    return bytesOf(stats.get());
  }

  @Override
  public MemoryCursor cursor() {
    return new Cursor();
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return !cells.isEmpty();
  }

  @Override
  public SegmentStats stats() {
    return stats.get();
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      account.credit(bytesOf(stats.get()));
    }
  }

  private final class Cursor implements MemoryCursor {
    private Iterator<LegacyCell> rest = cells.iterator();
    private @Nullable LegacyCell cell;
    private ByteBuffer buffer = ByteBuffer.allocate(0);

    @Override
    public boolean seekToFirst() {
      rest = cells.iterator();
      return next();
    }

    @Override
    public boolean seek(ByteBuffer key, int keyOffset) {
      rest = cells.tailSet(LegacyCell.searchKey(key, keyOffset), true).iterator();
      return next();
    }

    @Override
    public boolean seekBefore(ByteBuffer key, int keyOffset) {
      LegacyCell before = cells.lower(LegacyCell.searchKey(key, keyOffset));
      rest = before == null ? cells.iterator() : cells.tailSet(before, false).iterator();
      return moveTo(before);
    }

    @Override
    public boolean next() {
      return moveTo(rest.hasNext() ? rest.next() : null);
    }

    private boolean moveTo(@Nullable LegacyCell target) {
      cell = target;
      if (target != null) {
        buffer = ByteBuffer.wrap(target.bytes());
      }
      return target != null;
    }

    @Override
    public boolean isValid() {
      return cell != null;
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    @Override
    public int offset() {
      return 0;
    }

    @Override
    public int length() {
      return buffer.capacity();
    }

    @Override
    public long sequenceNumber() {
      return cell == null ? 0 : cell.sequence();
    }
  }
}
