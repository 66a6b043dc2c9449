// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import io.accordiondb.chunk.ChunkPool;
import io.accordiondb.memstore.layout.SegmentLayout;
import java.util.Objects;

/**
 * Settings for measurements and tests, which applications leave unchanged; see {@link
 * DatabaseOptions.Builder#experiment}. They may change with any version. Immutable.
 *
 * @param seed of the random choices of ADAPTIVE
 * @param chunkBytes unit of memory allocation: a power of two, 4 KiB to 4 MiB
 * @param segmentLayout form of cells and indices in memory of families that name none
 */
public record Experiment(long seed, int chunkBytes, SegmentLayout segmentLayout) {
  /** The default settings. */
  public static final Experiment NONE = new Experiment(1, 64 << 10, SegmentLayout.DEFAULT);

  /**
   * Checks the values.
   *
   * @param seed the seed of the random choices
   * @param chunkBytes the size of a chunk in bytes
   * @param segmentLayout form of cells and indices in memory
   * @throws IllegalArgumentException if the chunk size is not a power of two from 4 KiB to 4 MiB
   */
  public Experiment {
    Objects.requireNonNull(segmentLayout, "segment layout");
    ChunkPool.checkChunkBytes(chunkBytes);
  }

  /**
   * {@return a copy with another seed}
   *
   * @param other the seed of the copy
   */
  public Experiment withSeed(long other) {
    return new Experiment(other, chunkBytes, segmentLayout);
  }

  /**
   * {@return a copy with another unit of allocation}
   *
   * @param bytes the size of a chunk in bytes: a power of two, 4 KiB to 4 MiB
   */
  public Experiment withChunkBytes(int bytes) {
    return new Experiment(seed, bytes, segmentLayout);
  }

  /**
   * {@return a copy with another form of segments}
   *
   * @param layout form of cells and indices in memory
   */
  public Experiment withSegmentLayout(SegmentLayout layout) {
    return new Experiment(seed, chunkBytes, layout);
  }
}
