// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

/** Where a chunk lies. */
public enum MemoryKind {
  /** In the Java heap. */
  HEAP,
  /** Outside the Java heap, where the garbage collector does not look. */
  OFF_HEAP
}
