// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.chunk;

/**
 * Memory that several segments hold together, because one of them was made from the others. It
 * starts with one holder; the last call of {@link #release} frees it. Thread-safe.
 */
public interface SharedMemory {
  /** {@return what is charged for it, in bytes} */
  long bytes();

  /** {@return the part of {@link #bytes} that is on the Java heap} */
  long heapBytes();

  /** Adds a holder. The caller is one, or knows of one that stays during the call. */
  void retain();

  /** Removes a holder; the last one gives all back. */
  void release();
}
