// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment.build;

import io.accordiondb.memstore.segment.KeyPrefix;
import io.accordiondb.memstore.segment.SegmentBuilder;
import io.accordiondb.memstore.segment.SegmentMemory;
import io.accordiondb.memstore.segment.array.ArraySegmentBuilder;
import io.accordiondb.memstore.segment.flat.FlatSegmentBuilder;

/** Chooses the builder for the segments of a layout. Stateless. */
public final class SegmentBuilders {
  private SegmentBuilders() {}

  /**
   * Begins a segment.
   *
   * @param keyPrefix the map by which the caller computes prefixes
   */
  public static SegmentBuilder begin(SegmentMemory memory, KeyPrefix keyPrefix) {
    return switch (memory.layout().index()) {
      case CHUNK -> new FlatSegmentBuilder(memory, keyPrefix);
      case ARRAY -> new ArraySegmentBuilder(memory);
    };
  }
}
