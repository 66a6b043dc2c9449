// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.chunk.MemoryAccount;
import io.accordiondb.chunk.MemoryKind;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.PrefixCursor;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.array.ArraySegmentBuilder;
import io.accordiondb.memstore.segment.array.HeapCell;
import io.accordiondb.memstore.segment.array.HeapCellMemory;
import io.accordiondb.retention.CellFilter;
import io.accordiondb.retention.ColumnFold;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * A mutable segment on the JDK's concurrent skip list, with cells as plain objects. It is the
 * legacy structure, which the paper calls NoCompaction and which never becomes full, and the active
 * segment of stores whose cells are {@link CellMemory#OBJECTS}. Thread-safe.
 */
public final class ObjectSegment implements MutableSegment {
  /** What the skip list needs for a cell: a node of 24 bytes and, on average, 12 of an index. */
  public static final int LINK_BYTES = 36;

  private final MemoryAccount account;
  private final long sealBytes;
  private final HeapCellMemory memory;
  private final ConcurrentSkipListMap<HeapCell, HeapCell> cells = new ConcurrentSkipListMap<>();
  private final WriterGate gate = new WriterGate();
  private final SharedStats stats = new SharedStats();
  private final ReferenceCount holders = new ReferenceCount();
  private volatile boolean full;

  /**
   * Creates an empty segment.
   *
   * @param sealBytes bytes of cells after which the segment counts as full; {@link Long#MAX_VALUE}
   *     for the legacy structure
   */
  public ObjectSegment(MemoryAccount account, long sealBytes) {
    this.account = account;
    this.sealBytes = sealBytes;
    this.memory = new HeapCellMemory(account);
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
  public int insert(
      ByteBuffer source, int offset, int count, long firstSequence, BatchFormat format) {
    SegmentCounts batch = new SegmentCounts();
    int at = offset;
    try {
      for (int i = 0; i < count; i++) {
        int length = format.length(source, at);
        long sequence = format.sequence(firstSequence, i);
        HeapCell cell = HeapCell.copyOf(source, at, length, sequence);
        HeapCell replaced = cells.put(cell, cell);
        if (replaced == null) {
          batch.add(source, at, length, sequence);
        } else {
          // Equal down to the sequence number, so no reader can see the older one.
          batch.resize(length - replaced.length());
          if (!CellTags.hasTtl(replaced.buffer(), 0, replaced.length())
              && CellTags.hasTtl(source, at, length)) {
            batch.addMarker();
          }
        }
        at += format.step(source, at);
      }
    } finally {
      // Also runs if an allocation fails, because cells that are in the map count.
      SegmentStats added = batch.stats();
      memory.add(added.cells(), added.dataBytes());
      account.charge(MemoryKind.HEAP, added.cells() * LINK_BYTES);
      if (stats.add(batch) >= sealBytes) {
        full = true;
      }
    }
    return count;
  }

  @Override
  public boolean entersPipeline() {
    return sealBytes < Long.MAX_VALUE;
  }

  @Override
  public boolean isFull() {
    return full;
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
    return memory.bytes() + indexBytes();
  }

  @Override
  public long heapBytes() {
    return heldBytes();
  }

  @Override
  public long indexBytes() {
    return stats.cells() * LINK_BYTES;
  }

  @Override
  public @Nullable ImmutableSegment flatten(
      SegmentMemory target, KeyPrefix keyPrefix, boolean sketched, @Nullable CellFilter filter) {
    ColumnFold fold = filter == null ? null : filter.columnFold();
    if (fold != null) {
      return flatten(target, sketched, fold);
    }
    ArraySegmentBuilder builder = new ArraySegmentBuilder(target);
    DistinctSketch sketch = sketched ? new DistinctSketch() : null;
    SegmentCounts counts = new SegmentCounts();
    ImmutableSegment flat = null;
    try {
      HeapCell last = null;
      for (HeapCell cell : cells.values()) {
        ByteBuffer buffer = cell.buffer();
        if (filter == null || filter.keeps(buffer, 0, cell.length(), cell.sequence())) {
          boolean continues = last != null && cell.isOfColumn(last);
          if (sketch != null && !continues) {
            sketch.add(buffer, 0);
          }
          builder.addSurvivor(cell, cell.length(), continues);
          counts.add(buffer, 0, cell.length(), cell.sequence());
          last = cell;
        }
      }
      flat = builder.size() == 0 ? null : builder.build(counts.stats(), sketch);
    } finally {
      if (flat == null) {
        builder.abandon();
      }
    }
    return flat;
  }

  private @Nullable ImmutableSegment flatten(
      SegmentMemory target, boolean sketched, ColumnFold fold) {
    ArraySegmentBuilder builder = new ArraySegmentBuilder(target);
    DistinctSketch sketch = sketched ? new DistinctSketch() : null;
    SegmentCounts counts = new SegmentCounts();
    ImmutableSegment flat = null;
    try {
      List<HeapCell> column = new ArrayList<>();
      for (HeapCell cell : cells.values()) {
        if (!column.isEmpty() && !cell.isOfColumn(column.get(0))) {
          addFolded(column, fold, builder, sketch, counts);
        }
        column.add(cell);
      }
      if (!column.isEmpty()) {
        addFolded(column, fold, builder, sketch, counts);
      }
      flat =
          builder.size() == 0
              ? null
              : builder.build(counts.stats().withMinSequence(minSequence()), sketch);
    } finally {
      if (flat == null) {
        builder.abandon();
      }
    }
    return flat;
  }

  /** Adds what a fold keeps of a column, and empties it. */
  private static void addFolded(
      List<HeapCell> column,
      ColumnFold fold,
      ArraySegmentBuilder builder,
      @Nullable DistinctSketch sketch,
      SegmentCounts counts) {
    fold.startColumn();
    // The fold leaves out cells that range tombstones cover.
    column.removeIf(
        cell -> {
          int before = fold.size();
          fold.add(cell.buffer(), 0, cell.length(), cell.sequence());
          return fold.size() == before;
        });
    fold.finish();
    for (int i = 0; i < fold.kept(); i++) {
      HeapCell kept =
          fold.cell(i) >= 0
              ? column.get(fold.cell(i))
              : HeapCell.copyOf(fold.buffer(i), fold.offset(i), fold.length(i), fold.sequence(i));
      if (sketch != null && i == 0) {
        sketch.add(kept.buffer(), 0);
      }
      builder.addSurvivor(kept, kept.length(), i > 0);
      counts.add(kept.buffer(), 0, kept.length(), kept.sequence());
    }
    column.clear();
  }

  @Override
  public PrefixCursor cursor() {
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
  public long cellCount() {
    return stats.cells();
  }

  @Override
  public long dataBytes() {
    return stats.dataBytes();
  }

  @Override
  public long minSequence() {
    return stats.minSequence();
  }

  @Override
  public void retain() {
    holders.retain();
  }

  @Override
  public void release() {
    if (holders.release()) {
      account.credit(MemoryKind.HEAP, stats.cells() * LINK_BYTES);
      memory.release();
    }
  }

  private final class Cursor implements PrefixCursor {
    private Iterator<HeapCell> rest = cells.values().iterator();
    private @Nullable HeapCell cell;
    private ByteBuffer buffer = NOWHERE;

    @Override
    public boolean seekToFirst() {
      rest = cells.values().iterator();
      return next();
    }

    @Override
    public boolean seek(ByteBuffer key, int keyOffset) {
      rest = cells.tailMap(HeapCell.searchKey(key, keyOffset), true).values().iterator();
      return next();
    }

    @Override
    public boolean seekBefore(ByteBuffer key, int keyOffset) {
      Map.Entry<HeapCell, HeapCell> before = cells.lowerEntry(HeapCell.searchKey(key, keyOffset));
      rest =
          before == null
              ? cells.values().iterator()
              : cells.tailMap(before.getKey(), false).values().iterator();
      return moveTo(before == null ? null : before.getValue());
    }

    @Override
    public boolean next() {
      return moveTo(rest.hasNext() ? rest.next() : null);
    }

    private boolean moveTo(@Nullable HeapCell target) {
      cell = target;
      if (target != null) {
        buffer = ByteBuffer.wrap(target.bytes());
      }
      return target != null;
    }

    @Override
    public boolean isRecord() {
      return false;
    }

    @Override
    public long prefix(KeyPrefix keyPrefix) {
      return KeyPrefix.shortened(keyPrefix.of(buffer, 0));
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
