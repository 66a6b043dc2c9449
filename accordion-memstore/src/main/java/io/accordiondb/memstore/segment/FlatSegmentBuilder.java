// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.SharedMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Builds a {@link FlatSegment}. */
final class FlatSegmentBuilder implements SegmentBuilder {
  private final SegmentMemory memory;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;
  private final List<SharedMemory> cellMemory = new ArrayList<>();
  private final List<ByteBuffer> index = new ArrayList<>();
  private final int entriesPerChunk;
  private @Nullable Arena copies;
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private int entriesInChunk;
  private int size;
  private long columns;
  private long distinctPrefixes;
  private long lastPrefix;

  FlatSegmentBuilder(SegmentMemory memory, KeyPrefix keyPrefix) {
    this.memory = memory;
    this.keyPrefix = keyPrefix;
    this.indexArena = memory.newArena();
    int fitting = memory.pool().chunkBytes() / FlatIndexLayout.ENTRY_BYTES;
    this.entriesPerChunk = fitting - fitting % FencePointers.STEP;
    this.entriesInChunk = entriesPerChunk;
  }

  @Override
  public void share(SharedMemory shared) {
    if (!cellMemory.contains(shared)) {
      shared.retain();
      cellMemory.add(shared);
    }
  }

  @Override
  public void addRecord(int reference, long prefix, boolean continuesColumn) {
    if (entriesInChunk == entriesPerChunk) {
      chunk = indexArena.buffer(indexArena.allocateChunk());
      index.add(chunk);
      entriesInChunk = 0;
    }
    FlatIndexLayout.write(
        chunk, entriesInChunk * FlatIndexLayout.ENTRY_BYTES, prefix, continuesColumn, reference);
    entriesInChunk++;
    if (size == 0 || prefix != lastPrefix) {
      distinctPrefixes++;
      lastPrefix = prefix;
    }
    size = Math.addExact(size, 1);
    if (!continuesColumn) {
      columns++;
    }
  }

  @Override
  public void addRecordCopy(int reference, long prefix, boolean continuesColumn) {
    addRecord(CellRecord.copyOf(memory.pool(), reference, copies()), prefix, continuesColumn);
  }

  @Override
  public void add(IndexCursor cell, long prefix, boolean continuesColumn) {
    if (cell instanceof FlatCursor flat) {
      addRecord(flat.reference(), prefix, continuesColumn);
    } else {
      // An object of an array index does not know its reference.
      addCopy(cell, prefix, continuesColumn);
    }
  }

  private void addCopy(IndexCursor cell, long prefix, boolean continuesColumn) {
    addRecord(CellRecord.copyOf(cell, copies()), prefix, continuesColumn);
  }

  /** Returns the arena of cells that this builder copies. */
  private Arena copies() {
    Arena arena = copies;
    if (arena == null) {
      arena = memory.newArena();
      cellMemory.add(arena);
      copies = arena;
    }
    return arena;
  }

  @Override
  public void addSurvivor(
      IndexCursor cell, int length, LiveBytes live, long prefix, boolean continuesColumn) {
    if (cell instanceof FlatCursor flat) {
      live.add(flat.reference(), CellRecord.bytes(length));
    }
    add(cell, prefix, continuesColumn);
  }

  @Override
  public boolean settle(LiveBytes live, BooleanSupplier cancelled) {
    live.kept().forEach(this::share);
    int left = size;
    for (ByteBuffer entries : index) {
      int bytes = Math.min(left, entriesPerChunk) * FlatIndexLayout.ENTRY_BYTES;
      for (int at = 0; at < bytes; at += FlatIndexLayout.ENTRY_BYTES) {
        if (at % (CANCELLATION_STEP * FlatIndexLayout.ENTRY_BYTES) == 0
            && cancelled.getAsBoolean()) {
          return false;
        }
        int reference = FlatIndexLayout.reference(entries, at);
        if (live.isToMove(reference)) {
          FlatIndexLayout.writeReference(
              entries, at, CellRecord.copyOf(memory.pool(), reference, copies()));
        }
      }
      left -= entriesPerChunk;
    }
    return true;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public FlatSegment build(SegmentStats stats, @Nullable DistinctSketch sketch) {
    assert stats.cells() == size : stats + " of " + size + " cells";
    PrefixFilter filter =
        memory.layout().filtered() && PrefixFilter.pays(distinctPrefixes, columns)
            ? new PrefixFilter(memory.pool(), memory.account(), distinctPrefixes)
            : null;
    return new FlatSegment(
        memory.pool(),
        memory.account(),
        keyPrefix,
        indexArena,
        List.copyOf(cellMemory),
        index.toArray(new ByteBuffer[0]),
        entriesPerChunk,
        size,
        columns,
        filter,
        sketch,
        stats);
  }

  @Override
  public void abandon() {
    indexArena.release();
    cellMemory.forEach(SharedMemory::release);
  }
}
