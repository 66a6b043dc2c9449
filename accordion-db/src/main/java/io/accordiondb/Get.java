// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;

/** A query for one row. Not thread-safe. */
public final class Get extends Query<Get> {
  private final byte[] row;

  /**
   * Creates a query for a row.
   *
   * @param row the row, 1 to 32,767 bytes; not copied
   */
  public Get(byte[] row) {
    this.row = CellLimits.checkRow("get", row);
  }

  /**
   * Creates a query for the row that remains in a buffer.
   *
   * @param row a buffer whose remaining bytes are copied; its position does not move; the row has 1
   *     to 32,767 bytes
   */
  public Get(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /** {@return the row} */
  public byte[] row() {
    return row;
  }

  @Override
  Get self() {
    return this;
  }
}
