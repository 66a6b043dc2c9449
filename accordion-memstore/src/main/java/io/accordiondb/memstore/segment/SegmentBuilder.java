// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.ArenaFiller;
import io.accordiondb.chunk.SharedMemory;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds an immutable segment from cells in ascending order. Belongs to one thread. Ends with
 * {@link #build} or {@link #abandon}.
 */
public interface SegmentBuilder {
  /**
   * The number of cells between two checks of the cancellation flag, which take well below a
   * millisecond.
   */
  int CANCELLATION_STEP = 1024;

  /** Returns the filler that allocates copies of cells, in memory that the segment will hold. */
  ArenaFiller copies();

  /** Makes the segment a holder of memory that cells are in. */
  void share(SharedMemory memory);

  /**
   * Adds a cell that is in shared chunks.
   *
   * @param continuesColumn whether the cell added before is of the same column
   */
  void addRecord(int reference, long prefix, boolean continuesColumn);

  /**
   * Adds a copy of a cell that is in chunks.
   *
   * @param continuesColumn whether the cell added before is of the same column
   */
  default void addRecordCopy(int reference, long prefix, boolean continuesColumn) {
    addRecord(CellRecord.copyOf(reference, copies()), prefix, continuesColumn);
  }

  /**
   * Adds a copy of a cell.
   *
   * @param length bytes of the cell, its tags included
   * @param continuesColumn whether the cell added before is of the same column
   */
  default void addCopy(
      ByteBuffer cell,
      int offset,
      int length,
      long sequence,
      long prefix,
      boolean continuesColumn) {
    addRecord(CellRecord.write(copies(), cell, offset, length, sequence), prefix, continuesColumn);
  }

  /**
   * Adds a copy of a cell in the form that the segment's cells have.
   *
   * @param length bytes of the cell, its tags included
   * @param continuesColumn whether the cell added before is of the same column
   */
  default void addInForm(
      ByteBuffer cell,
      int offset,
      int length,
      long sequence,
      long prefix,
      boolean continuesColumn) {
    addCopy(cell, offset, length, sequence, prefix, continuesColumn);
  }

  /** Adds the current cell of a cursor without moving it out of its shared memory. */
  void add(ColumnCursor cell, long prefix, boolean continuesColumn);

  /**
   * Adds a cell that survives a compaction. {@link #settle} decides where it is stored.
   *
   * @param length of the cell
   * @param evacuation counts what survives
   */
  void addSurvivor(
      ColumnCursor cell,
      int length,
      ArenaEvacuation evacuation,
      long prefix,
      boolean continuesColumn);

  /**
   * Moves survivors out of the memory that a compaction frees, and shares the rest of the memory of
   * its sources.
   *
   * @param roomBytes how much memory copies may take
   * @param cancelled called every {@code CANCELLATION_STEP} cells; true ends the work
   * @return false when cancelled
   */
  boolean settle(ArenaEvacuation evacuation, long roomBytes, BooleanSupplier cancelled);

  /** Returns the number of cells added. */
  int size();

  /**
   * Returns the segment. At least one cell must have been added.
   *
   * @param sketch of the columns, if one is wanted
   */
  ImmutableSegment build(SegmentStats stats, @Nullable DistinctSketch sketch);

  /** Releases everything that the builder has allocated. */
  void abandon();
}
