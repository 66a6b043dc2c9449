// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.read;

import io.accordiondb.encoding.CellCursor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A cursor over a source whose parts follow each other, such as the files of a level. */
public interface PartsCursor extends CellCursor {
  /** Returns the highest sequence number in the part of the current cell. */
  long partMaxSequence();

  /** Returns a row at or before the first one in the part of the current cell. */
  byte[] partFirstRow();

  /**
   * Moves forwards to the first cell at or after a key, or to the first cell of a part before that
   * if the part has a sequence number that is not below a given one. The part of the current cell
   * has none.
   *
   * @return whether there is such a cell
   * @throws IOException if the storage fails
   */
  boolean skip(ByteBuffer key, int keyOffset, long sequence) throws IOException;
}
