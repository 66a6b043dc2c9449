// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.layout;

/** How an immutable segment finds its cells (section 3.4 of the paper, Figure 4). */
public enum IndexKind {
  /** A sorted array of cell objects. */
  ARRAY,
  /** Sorted entries of bytes in chunks; no object per cell. */
  CHUNK
}
