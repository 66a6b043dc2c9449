// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.layout;

import io.accordiondb.chunk.MemoryKind;

/**
 * The form of a family's segments. Immutable.
 *
 * @param cells form of the cells
 * @param index form of the index of immutable segments; {@link IndexKind#CHUNK} requires cells in
 *     chunks
 * @param filtered whether large immutable segments get a Bloom filter, which costs 10 to 20 bits a
 *     row and lets a point lookup skip segments without the row; requires {@link IndexKind#CHUNK}
 */
public record SegmentLayout(CellMemory cells, IndexKind index, boolean filtered) {
  /** Cells in chunks outside the heap, serialised index, Bloom filters. */
  public static final SegmentLayout DEFAULT =
      new SegmentLayout(CellMemory.OFF_HEAP_CHUNKS, IndexKind.CHUNK, true);

  /**
   * Checks the values.
   *
   * @param cells form of the cells
   * @param index form of the index of immutable segments
   * @param filtered whether large immutable segments get a Bloom filter
   */
  public SegmentLayout {
    if (cells == CellMemory.OBJECTS && index == IndexKind.CHUNK) {
      throw new IllegalArgumentException(
          "index CHUNK cannot refer to cells that are OBJECTS: choose index ARRAY, or cells in"
              + " HEAP_CHUNKS or OFF_HEAP_CHUNKS");
    }
  }

  /**
   * {@return a layout with filters where it can have them}
   *
   * @param cells form of the cells
   * @param index form of the index of immutable segments
   */
  public static SegmentLayout of(CellMemory cells, IndexKind index) {
    return new SegmentLayout(cells, index, index == IndexKind.CHUNK);
  }

  /** {@return where chunks are} */
  public MemoryKind memoryKind() {
    return cells == CellMemory.OFF_HEAP_CHUNKS ? MemoryKind.OFF_HEAP : MemoryKind.HEAP;
  }
}
