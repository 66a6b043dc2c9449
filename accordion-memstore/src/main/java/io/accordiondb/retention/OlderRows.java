// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;

/** Answers which rows may have cells that an in-memory compaction does not read. Thread-safe. */
@FunctionalInterface
public interface OlderRows {
  /** Every row may have some. */
  OlderRows ANY = (cell, offset) -> true;

  /**
   * {@return whether a row may have cells outside of memory} False is certain, and stays so for all
   * cells that are older than those in memory.
   *
   * @param cell a serialised cell of the row
   * @param offset offset of the cell's first byte, in bytes
   */
  boolean mayHave(ByteBuffer cell, int offset);
}
