// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

/** A cursor over an immutable segment, with what its index knows of the current cell. */
public sealed interface IndexCursor extends MemoryCursor permits FlatCursor, ArrayCursor {
  /** Returns whether the current cell is of the same column as the one before it. */
  boolean continuesColumn();

  /** Returns the key prefix of the current cell under a map. */
  long prefix(KeyPrefix keyPrefix);
}
