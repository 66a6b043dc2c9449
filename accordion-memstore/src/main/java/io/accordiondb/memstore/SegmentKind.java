// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/** The form of a segment of a memory store. */
public enum SegmentKind {
  /** Takes writes; a skip list. */
  ACTIVE,
  /** Takes no more writes, and is still a skip list. */
  SEALED,
  /** Immutable, with a sorted array of cell objects as its index. */
  ARRAY,
  /** Immutable, with a serialised index in chunks. */
  CHUNK
}
