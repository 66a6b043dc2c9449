// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.active;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.chunk.ReferenceCount;
import io.accordiondb.encoding.BatchFormat;
import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.FoundCell;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ImmutableSegment;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.MutableSegment;
import io.accordiondb.memstore.segment.PrefixCursor;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import io.accordiondb.memstore.segment.build.Flattening;
import io.accordiondb.retention.CellFilter;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The active segment of stores with cells in chunks, indexed by a {@link SkipList}. It is small by
 * design, so that it fits the processor's cache (section 3.1 of the paper). Thread-safe; writers
 * and readers do not wait for each other.
 */
public final class SkipListSegment implements MutableSegment {
  /** The last position of a thread, and the segment to which it belongs. */
  private static final class Writer {
    final Splice splice = new Splice();
    final SegmentCounts counts = new SegmentCounts();
    Object segment = this;
  }

  /** Weak, because a thread of the application must not keep the class loader of the store. */
  private static final ThreadLocal<WeakReference<Writer>> WRITERS = new ThreadLocal<>();

  private final ChunkPool pool;

  /**
   * Identifies the segment in a thread's {@link Writer}, which must not keep the segment in memory.
   */
  private final Object identity = new Object();

  private final long sealBytes;
  private final KeyPrefix keyPrefix;
  private final Arena arena;
  private final SkipList list;
  private final WriterGate gate = new WriterGate();
  private final SharedStats stats = new SharedStats();
  private final ReferenceCount holders = new ReferenceCount();
  private volatile boolean full;

  /**
   * Creates an empty segment.
   *
   * @param sealBytes bytes of cells after which the segment counts as full
   */
  public SkipListSegment(SegmentMemory memory, KeyPrefix keyPrefix, long sealBytes) {
    this.pool = memory.pool();
    this.sealBytes = sealBytes;
    this.keyPrefix = keyPrefix;
    this.arena = memory.newArena();
    this.list = new SkipList(pool, memory.account(), keyPrefix, linkBlocksMax(sealBytes));
  }

  /** Room for the nodes of the smallest cells; what exceeds it seals the segment early. */
  private static int linkBlocksMax(long sealBytes) {
    long cells = sealBytes / KeyValueLayout.CELL_OVERHEAD_BYTES + 1;
    return (int)
        Math.min(
            NodeMemory.BLOCKS_MAX,
            cells * NodeMemory.NODE_INTS_EXPECTED / ChunkPool.LINK_BLOCK_INTS + 2);
  }

  /** Returns what the current thread has kept, unless that was collected meanwhile. */
  private static Writer writer() {
    WeakReference<Writer> kept = WRITERS.get();
    Writer writer = kept == null ? null : kept.get();
    if (writer == null) {
      writer = new Writer();
      WRITERS.set(new WeakReference<>(writer));
    }
    return writer;
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
      ByteBuffer cells, int offset, int count, long firstSequence, BatchFormat format) {
    Writer writer = writer();
    if (writer.segment != identity) {
      writer.segment = identity;
      writer.splice.reset();
    }
    SegmentCounts batch = writer.counts;
    batch.clear();
    int at = offset;
    int inserted = 0;
    try {
      while (inserted < count) {
        int length = format.length(cells, at);
        long sequence = format.sequence(firstSequence, inserted);
        if (!insert(cells, at, length, sequence, writer.splice)) {
          full = true;
          break;
        }
        batch.add(cells, at, length, sequence);
        at += format.step(cells, at);
        inserted++;
        if (list.isSlow()) {
          full = true;
          break;
        }
      }
    } finally {
      // Also runs if an allocation fails, because cells that are in the list count.
      if (stats.add(batch) >= sealBytes) {
        full = true;
      }
    }
    return inserted;
  }

  private boolean insert(ByteBuffer cells, int offset, int length, long sequence, Splice splice) {
    int reference = arena.allocate(CellRecord.bytes(length));
    CellRecord.write(
        arena.buffer(reference), arena.position(reference), cells, offset, length, sequence);
    return list.insert(reference, splice);
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
  public @Nullable ImmutableSegment flatten(
      SegmentMemory target, KeyPrefix keyPrefix, boolean sketched, @Nullable CellFilter filter) {
    Flattening flattening = new Flattening(target, keyPrefix, sketched, filter, stats.get());
    ImmutableSegment flat = null;
    try {
      boolean reuses = keyPrefix.equals(this.keyPrefix);
      for (int node = list.first(); node != 0; node = list.next(node)) {
        int version = list.firstVersion(node);
        flattening.beginColumn(
            reuses ? list.prefix(node) : prefixOf(list.reference(node), keyPrefix));
        while (version != 0 && flattening.add(list.reference(version))) {
          version = list.nextVersion(version);
        }
      }
      flat = flattening.build();
    } finally {
      if (flat == null) {
        flattening.abandon();
      }
    }
    return flat;
  }

  /**
   * Returns the prefix map that fits the rows which the segment has now; the segment must hold a
   * cell.
   */
  public KeyPrefix fittingPrefix() {
    int first = list.reference(list.first());
    int last = list.reference(list.last());
    return KeyPrefix.between(
        pool.buffer(first),
        CellRecord.cellOffset(pool.position(first)),
        pool.buffer(last),
        CellRecord.cellOffset(pool.position(last)));
  }

  private long prefixOf(int reference, KeyPrefix prefix) {
    return prefix.of(pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)));
  }

  @Override
  public long heldBytes() {
    return arena.bytes() + indexBytes();
  }

  @Override
  public long heapBytes() {
    return arena.heapBytes() + indexBytes();
  }

  @Override
  public long indexBytes() {
    return list.nodes().bytes();
  }

  @Override
  public PrefixCursor cursor() {
    return new SkipListCursor(list, stats, pool);
  }

  @Override
  public boolean find(ByteBuffer key, int keyOffset, long readPoint, FoundCell found) {
    int node = list.firstAtOrAfter(key, keyOffset);
    if (node == 0 || !isOfColumn(list.reference(node), key, keyOffset)) {
      return false;
    }
    for (int version = list.firstVersion(node); version != 0; version = list.nextVersion(version)) {
      int reference = list.reference(version);
      ByteBuffer buffer = pool.buffer(reference);
      int position = pool.position(reference);
      int cell = CellRecord.cellOffset(position);
      long sequence = CellRecord.sequence(buffer, position);
      if (sequence <= readPoint
          && CellComparator.compareVersions(buffer, cell, key, keyOffset) >= 0) {
        found.set(buffer, cell, sequence, CellRecord.hasTags(buffer, position));
        return true;
      }
    }
    return false;
  }

  private boolean isOfColumn(int reference, ByteBuffer key, int keyOffset) {
    return CellComparator.compareColumns(
            pool.buffer(reference), CellRecord.cellOffset(pool.position(reference)), key, keyOffset)
        == 0;
  }

  @Override
  public boolean mayContainRow(ByteBuffer key, int keyOffset) {
    return list.first() != 0;
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
  public long deleteMarkerCount() {
    return stats.deleteMarkers();
  }

  @Override
  public long maxTimestamp() {
    return stats.maxTimestamp();
  }

  @Override
  public long maxSequence() {
    return stats.maxSequence();
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
      list.nodes().giveBack();
      arena.release();
    }
  }
}
