// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.chunk.SharedMemory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A segment that never changes: sorted cells under a flat index (section 3.1 of the paper). It may
 * share the memory of its cells with the segments it was made from.
 */
public non-sealed interface ImmutableSegment extends Segment {
  @Override
  ColumnCursor cursor();

  /** Returns the key prefix map that fits the rows of this segment best. */
  KeyPrefix fittingPrefix();

  /** Returns the number of different columns. */
  long columnCount();

  /** Returns a sketch of the different columns, if the segment was made with one. */
  @Nullable DistinctSketch sketch();

  /** Returns the memory that the cells are in. */
  List<SharedMemory> cellMemory();
}
