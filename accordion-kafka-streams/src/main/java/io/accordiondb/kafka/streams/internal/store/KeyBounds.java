// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import java.util.Arrays;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys, compared with the beginnings of longer ones.
 *
 * @param from inclusive; null for no bound
 * @param to inclusive; null for no bound
 */
record KeyBounds(byte @Nullable [] from, byte @Nullable [] to) {
  static KeyBounds of(@Nullable Bytes from, @Nullable Bytes to) {
    return new KeyBounds(from == null ? null : from.get(), to == null ? null : to.get());
  }

  /** Returns whether the first bytes of an array are a key of the range. */
  boolean contain(byte[] bytes, int length) {
    return (from == null || Arrays.compareUnsigned(bytes, 0, length, from, 0, from.length) >= 0)
        && (to == null || Arrays.compareUnsigned(bytes, 0, length, to, 0, to.length) <= 0);
  }
}
