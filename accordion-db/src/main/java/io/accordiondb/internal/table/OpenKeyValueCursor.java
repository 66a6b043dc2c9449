// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.table;

import io.accordiondb.KeyValueCursor;
import io.accordiondb.internal.function.IoSupplier;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A cursor that presents the rows of a key-value table as keys and values without copying them. */
final class OpenKeyValueCursor extends OpenCursor implements KeyValueCursor {
  OpenKeyValueCursor(IoSupplier<RowScanner> opener) throws IOException {
    super(opener);
  }

  @Override
  boolean load(RowScanner scanner, byte[] row) throws IOException {
    return scanner.findValue(row);
  }

  @Override
  void leave(RowScanner scanner, byte[] row) throws IOException {
    scanner.leaveRow(row);
  }

  @Override
  public ByteBuffer value() {
    return view().asReadOnlyBuffer();
  }

  @Override
  public byte[] valueBytes() {
    ByteBuffer view = view();
    byte[] value = new byte[view.remaining()];
    view.get(value);
    return value;
  }

  @Override
  public int copyValue(ByteBuffer target) {
    ByteBuffer view = view();
    int length = view.remaining();
    target.put(view.limit(Math.min(length, target.remaining())));
    return length;
  }

  private ByteBuffer view() {
    row();
    return rows().valueView();
  }
}
