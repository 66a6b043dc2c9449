// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.flat;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ArenaFiller;
import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.memstore.segment.ArenaEvacuation;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentCounts;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link FlatSegment}: it appends an entry to the index for each cell, in the order in
 * which the cells come, and copies cells into arenas where the caller asks for a copy. Belongs to
 * one thread.
 */
public final class FlatSegmentBuilder implements SegmentBuilder {
  /**
   * Copies go into arenas of about this size, a whole number of chunks, so that later compactions
   * can move some of them without moving all.
   */
  private static final int COPIES_ARENA_BYTES = 1 << 20;

  private final SegmentMemory memory;
  private final KeyPrefix keyPrefix;
  private final Arena indexArena;

  /** The memory of the cells; the builder is a holder of all that is in this list. */
  private final ArrayList<SharedMemory> cellMemory = new ArrayList<>();

  /** All that was passed to {@link #share}. */
  private final Set<SharedMemory> known = new HashSet<>();

  private final List<ByteBuffer> index = new ArrayList<>();
  private final int entriesPerChunk;
  private final ArenaFiller copies;
  private ByteBuffer chunk = ByteBuffer.allocate(0);
  private int entriesInChunk;
  private int size;
  private long columns;
  private long distinctPrefixes;
  private long lastPrefix;
  private @Nullable ArenaEvacuation settled;

  /**
   * Begins a segment.
   *
   * @param keyPrefix the map by which the caller computes prefixes
   */
  public FlatSegmentBuilder(SegmentMemory memory, KeyPrefix keyPrefix) {
    this.memory = memory;
    this.keyPrefix = keyPrefix;
    this.indexArena = memory.newArena();
    this.copies = new ArenaFiller(memory.pool(), this::newCellArena, COPIES_ARENA_BYTES);
    int fitting = memory.pool().chunkBytes() / FlatIndexLayout.ENTRY_BYTES;
    this.entriesPerChunk = fitting - fitting % FencePointers.STEP;
    this.entriesInChunk = entriesPerChunk;
  }

  @Override
  public void share(SharedMemory shared) {
    // A set that cannot grow may fail with the element in it. So the set does not tell what is
    // held; releasing memory that is not held would free it under its readers.
    if (known.add(shared)) {
      cellMemory.ensureCapacity(cellMemory.size() + 1);
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
  public ArenaFiller copies() {
    return copies;
  }

  @Override
  public void add(ColumnCursor cell, long prefix, boolean continuesColumn) {
    if (cell instanceof FlatCursor flat) {
      addRecord(flat.reference(), prefix, continuesColumn);
    } else {
      // An object of an array index does not know its reference.
      addCopy(
          cell.buffer(),
          cell.offset(),
          cell.length(),
          cell.sequenceNumber(),
          prefix,
          continuesColumn);
    }
  }

  private Arena newCellArena() {
    Arena arena = memory.newArena();
    cellMemory.add(arena);
    return arena;
  }

  @Override
  public void addSurvivor(
      ColumnCursor cell,
      int length,
      ArenaEvacuation evacuation,
      long prefix,
      boolean continuesColumn) {
    if (cell instanceof FlatCursor flat) {
      evacuation.add(flat.reference(), CellRecord.bytes(length));
    }
    add(cell, prefix, continuesColumn);
  }

  @Override
  public boolean settle(ArenaEvacuation evacuation, long roomBytes, BooleanSupplier cancelled) {
    evacuation.choose(roomBytes).forEach(this::share);
    int left = size;
    for (ByteBuffer entries : index) {
      int bytes = Math.min(left, entriesPerChunk) * FlatIndexLayout.ENTRY_BYTES;
      for (int at = 0; at < bytes; at += FlatIndexLayout.ENTRY_BYTES) {
        if (at % (CANCELLATION_STEP * FlatIndexLayout.ENTRY_BYTES) == 0
            && cancelled.getAsBoolean()) {
          return false;
        }
        int reference = FlatIndexLayout.reference(entries, at);
        if (evacuation.isToMove(reference)) {
          FlatIndexLayout.writeReference(entries, at, CellRecord.copyOf(reference, copies));
        }
      }
      left -= entriesPerChunk;
    }
    settled = evacuation;
    return true;
  }

  /**
   * Counts the cells added by reading each of them.
   *
   * @param cancelled called every {@code CANCELLATION_STEP} cells; true ends the work
   * @return false when cancelled
   */
  public boolean count(SegmentCounts counts, BooleanSupplier cancelled) {
    for (int entry = 0; entry < size; entry++) {
      if (entry % CANCELLATION_STEP == 0 && cancelled.getAsBoolean()) {
        return false;
      }
      int reference =
          FlatIndexLayout.reference(
              index.get(entry / entriesPerChunk),
              entry % entriesPerChunk * FlatIndexLayout.ENTRY_BYTES);
      ByteBuffer buffer = memory.pool().buffer(reference);
      int position = memory.pool().position(reference);
      counts.add(
          buffer,
          CellRecord.cellOffset(position),
          CellRecord.cellLength(buffer, position),
          CellRecord.sequence(buffer, position));
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
    copies.finish();
    PrefixFilter filter =
        memory.layout().filtered() && PrefixFilter.pays(distinctPrefixes, columns)
            ? new PrefixFilter(
                chunk,
                entriesInChunk * FlatIndexLayout.ENTRY_BYTES,
                indexArena,
                memory.pool().chunkBytes(),
                distinctPrefixes)
            : null;
    FlatSegment segment =
        new FlatSegment(
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
    if (settled != null) {
      settled.noteUnused();
    }
    return segment;
  }

  @Override
  public void abandon() {
    indexArena.release();
    cellMemory.forEach(SharedMemory::release);
  }
}
