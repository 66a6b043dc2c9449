// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.util.Objects;

/**
 * What measurements and tests change of a database, and applications leave alone: set by {@link
 * DatabaseOptions.Builder#experiment}. May change with any version. Immutable.
 *
 * @param seed of the random choices of ADAPTIVE
 * @param chunkBytes unit of memory allocation: a power of two, 4 KiB to 4 MiB
 * @param segmentLayout form of cells and indices in memory of families that name none
 */
public record Experiment(long seed, int chunkBytes, SegmentLayout segmentLayout) {
  /** What every database has that is no experiment. */
  public static final Experiment NONE = new Experiment(1, 64 << 10, SegmentLayout.DEFAULT);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the unit of allocation is not as it must be
   */
  public Experiment {
    Objects.requireNonNull(segmentLayout, "segment layout");
    ChunkPool.checkChunkBytes(chunkBytes);
  }

  /** Returns a copy with another seed. */
  public Experiment withSeed(long other) {
    return new Experiment(other, chunkBytes, segmentLayout);
  }

  /** Returns a copy with another unit of allocation. */
  public Experiment withChunkBytes(int bytes) {
    return new Experiment(seed, bytes, segmentLayout);
  }

  /** Returns a copy with another form of segments. */
  public Experiment withSegmentLayout(SegmentLayout layout) {
    return new Experiment(seed, chunkBytes, layout);
  }
}
