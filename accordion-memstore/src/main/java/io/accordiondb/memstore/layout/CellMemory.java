// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.layout;

/** The form in which a memory store keeps cells (section 3.4 of the paper). */
public enum CellMemory {
  /** Each cell is an object with an array of its own. */
  OBJECTS,
  /** Cells are in chunks in the Java heap. */
  HEAP_CHUNKS,
  /** Cells are in chunks outside the Java heap. */
  OFF_HEAP_CHUNKS
}
