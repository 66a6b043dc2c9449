// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

/**
 * A cursor that also gives the key prefix of the current cell, so that merges compare prefixes
 * before cells. Belongs to one thread.
 */
public interface PrefixCursor extends MemoryCursor {
  /** Returns the key prefix of the current cell under a map, as an index keeps it. */
  long prefix(KeyPrefix keyPrefix);

  /** Returns whether the current cell is in a {@link CellRecord}; otherwise it is an object. */
  boolean isRecord();
}
