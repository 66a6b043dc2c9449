// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.expiry;

import io.accordiondb.CompactionFilter;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;

/** Presents a serialised cell to a filter of the application. */
record CellView(String table, String family, ByteBuffer buffer, int offset, long nowMillis)
    implements CompactionFilter.Candidate {

  @Override
  public ByteBuffer row() {
    return part(KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(buffer, offset));
  }

  @Override
  public ByteBuffer qualifier() {
    return part(
        KeyValueLayout.qualifierOffset(buffer, offset),
        KeyValueLayout.qualifierLength(buffer, offset));
  }

  @Override
  public long timestamp() {
    return KeyValueLayout.timestamp(buffer, offset);
  }

  @Override
  public ByteBuffer value() {
    return part(
        KeyValueLayout.valueOffset(buffer, offset), KeyValueLayout.valueLength(buffer, offset));
  }

  private ByteBuffer part(int from, int length) {
    return buffer.slice(from, length).asReadOnlyBuffer();
  }
}
