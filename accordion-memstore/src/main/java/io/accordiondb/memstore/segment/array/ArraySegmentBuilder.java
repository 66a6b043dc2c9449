// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.array;

import io.accordiondb.chunk.Arena;
import io.accordiondb.chunk.ArenaFiller;
import io.accordiondb.chunk.SharedMemory;
import io.accordiondb.memstore.layout.CellMemory;
import io.accordiondb.memstore.segment.ArenaEvacuation;
import io.accordiondb.memstore.segment.CellRecord;
import io.accordiondb.memstore.segment.ColumnCursor;
import io.accordiondb.memstore.segment.DistinctSketch;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.SegmentStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an {@link ArraySegment}: it collects an object for each cell, in the order in which the
 * cells come. An object is the cell itself or stands for a cell in a chunk, as the layout says.
 * Belongs to one thread.
 */
public final class ArraySegmentBuilder implements SegmentBuilder {
  private final SegmentMemory memory;
  private final List<SharedMemory> cellMemory = new ArrayList<>();
  private final List<CellObject> cells = new ArrayList<>();
  private final ArenaFiller chunkCopies;
  private @Nullable HeapCellMemory objectCopies;
  private long columns;

  /** Begins a segment. */
  public ArraySegmentBuilder(SegmentMemory memory) {
    this.memory = memory;
    this.chunkCopies = new ArenaFiller(memory.pool(), this::newCellArena, Long.MAX_VALUE);
  }

  @Override
  public void share(SharedMemory shared) {
    if (!cellMemory.contains(shared)) {
      cellMemory.add(shared);
      shared.retain();
    }
  }

  /** Adds a cell object whose memory the segment holds already. */
  void add(CellObject cell, boolean continuesColumn) {
    cells.add(cell);
    if (!continuesColumn) {
      columns++;
    }
  }

  @Override
  public void addRecord(int reference, long prefix, boolean continuesColumn) {
    add(
        new ChunkCell(memory.pool().buffer(reference), memory.pool().position(reference)),
        continuesColumn);
  }

  @Override
  public ArenaFiller copies() {
    return chunkCopies;
  }

  @Override
  public void add(ColumnCursor cell, long prefix, boolean continuesColumn) {
    add(
        cell instanceof ArrayCursor array
            ? array.cell()
            : new ChunkCell(cell.buffer(), CellRecord.position(cell.offset())),
        continuesColumn);
  }

  @Override
  public void addInForm(
      ByteBuffer cell,
      int offset,
      int length,
      long sequence,
      long prefix,
      boolean continuesColumn) {
    if (memory.layout().cells() == CellMemory.OBJECTS) {
      addSurvivor(HeapCell.copyOf(cell, offset, length, sequence), length, continuesColumn);
    } else {
      addCopy(cell, offset, length, sequence, prefix, continuesColumn);
    }
  }

  /** Adds a copy, because an element does not know in which chunk its cell is. */
  @Override
  public void addSurvivor(
      ColumnCursor cell,
      int length,
      ArenaEvacuation evacuation,
      long prefix,
      boolean continuesColumn) {
    if (memory.layout().cells() == CellMemory.OBJECTS) {
      addObject(cell, length, continuesColumn);
    } else {
      addCopy(cell.buffer(), cell.offset(), length, cell.sequenceNumber(), prefix, continuesColumn);
    }
  }

  @Override
  public boolean settle(ArenaEvacuation evacuation, long roomBytes, BooleanSupplier cancelled) {
    return true;
  }

  private void addObject(ColumnCursor cell, int length, boolean continuesColumn) {
    boolean isObject = cell instanceof ArrayCursor array && array.cell() instanceof HeapCell;
    addSurvivor(
        isObject
            ? ((ArrayCursor) cell).cell()
            : HeapCell.copyOf(cell.buffer(), cell.offset(), length, cell.sequenceNumber()),
        length,
        continuesColumn);
  }

  /** Adds a cell object, whose memory counts as this segment's own. */
  public void addSurvivor(CellObject cell, int length, boolean continuesColumn) {
    HeapCellMemory copies = objectCopies;
    if (copies == null) {
      copies = new HeapCellMemory(memory.account());
      cellMemory.add(copies);
      objectCopies = copies;
    }
    copies.add(1, length);
    add(cell, continuesColumn);
  }

  private Arena newCellArena() {
    Arena arena = memory.newArena();
    cellMemory.add(arena);
    return arena;
  }

  @Override
  public int size() {
    return cells.size();
  }

  @Override
  public ArraySegment build(SegmentStats stats, @Nullable DistinctSketch sketch) {
    assert stats.cells() == cells.size() : stats + " of " + cells.size() + " cells";
    return new ArraySegment(
        memory.account(),
        List.copyOf(cellMemory),
        cells.toArray(new CellObject[0]),
        columns,
        sketch,
        stats);
  }

  @Override
  public void abandon() {
    cellMemory.forEach(SharedMemory::release);
  }
}
