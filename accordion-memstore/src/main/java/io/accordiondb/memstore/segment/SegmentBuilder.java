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
  /** Cells between two looks at the cancellation flag: well below a millisecond. */
  int CANCELLATION_STEP = 1024;

  /** Returns what finds room for copies of cells, in memory that the segment will hold. */
  ArenaFiller copies();

  /** Makes the segment a holder of memory that cells lie in. */
  void share(SharedMemory memory);

  /**
   * Adds a cell that lies in shared chunks.
   *
   * @param continuesColumn whether the cell added before is of the same column
   */
  void addRecord(int reference, long prefix, boolean continuesColumn);

  /**
   * Adds a copy of a cell that lies in chunks.
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

  /** Adds the cell that a cursor stands on and leaves it where it lies, in shared memory. */
  void add(ColumnCursor cell, long prefix, boolean continuesColumn);

  /**
   * Adds a cell that survives a compaction. Where it comes to lie is known after {@link #settle}.
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
   * Moves survivors out of memory that the sources of a compaction should give back, and shares the
   * rest of it.
   *
   * @param roomBytes how much memory copies may take
   * @param cancelled asked every {@code CANCELLATION_STEP} cells; true ends the work
   * @return false when cancelled
   */
  boolean settle(ArenaEvacuation evacuation, long roomBytes, BooleanSupplier cancelled);

  /** Returns the number of cells added. */
  int size();

  /**
   * Returns the segment; at least one cell was added.
   *
   * @param sketch of the columns, if one is wanted
   */
  ImmutableSegment build(SegmentStats stats, @Nullable DistinctSketch sketch);

  /** Gives back what the builder has taken. */
  void abandon();
}
