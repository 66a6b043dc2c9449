// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.nio.ByteBuffer;

/** Asks for one row. Not thread-safe. */
public final class Get extends Query<Get> {
  private final byte[] row;

  /** Asks for a row. */
  public Get(byte[] row) {
    this.row = CellLimits.checkRow("get", row);
  }

  /** Asks for the row that remains in a buffer. */
  public Get(ByteBuffer row) {
    this(Bytes.copyOf(row));
  }

  /** Returns the row. */
  public byte[] row() {
    return row;
  }

  @Override
  Get self() {
    return this;
  }
}
