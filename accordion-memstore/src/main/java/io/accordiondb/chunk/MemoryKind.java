// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

/** Where the memory of a chunk is: on the Java heap or outside it. */
public enum MemoryKind {
  /** In the Java heap. */
  HEAP,
  /** Outside the Java heap, where the garbage collector does not look. */
  OFF_HEAP
}
