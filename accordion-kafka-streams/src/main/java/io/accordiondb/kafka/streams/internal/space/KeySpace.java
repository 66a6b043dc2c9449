// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a store, or of a segment of one, within the shared database. Immutable, except that
 * it can be ended.
 */
public final class KeySpace {
  private final int number;
  private final byte[] prefix;
  private final byte[] end;
  private volatile boolean dropped;

  KeySpace(int number) {
    this.number = number;
    this.prefix = SpacePrefix.of(number);
    this.end = SpacePrefix.of(number + 1);
  }

  int number() {
    return number;
  }

  int prefixLength() {
    return prefix.length;
  }

  /** Marks the keys as dropped: iterators skip the space from now on. */
  void drop() {
    dropped = true;
  }

  boolean isDropped() {
    return dropped;
  }

  /** Returns a key as it is stored in the database. */
  byte[] physical(byte[] key) {
    byte[] physical = Arrays.copyOf(prefix, prefix.length + key.length);
    System.arraycopy(key, 0, physical, prefix.length, key.length);
    return physical;
  }

  /**
   * Returns the keys from one to another, both inclusive; null for the first and the last of the
   * space.
   */
  public KeyRange range(byte @Nullable [] from, byte @Nullable [] to) {
    return new KeyRange(
        this, from == null ? prefix : physical(from), to == null ? end : behind(physical(to)));
  }

  /** Returns the keys that begin with a prefix. */
  public KeyRange startingWith(byte[] keyPrefix) {
    byte[] from = physical(keyPrefix);
    int last = from.length - 1;
    while (from[last] == (byte) 0xff) {
      last--;
    }
    // The first byte of a space's own prefix is never 0xff, so there is one to increment.
    byte[] to = Arrays.copyOf(from, last + 1);
    to[last]++;
    return new KeyRange(this, from, to);
  }

  private static byte[] behind(byte[] physical) {
    return Arrays.copyOf(physical, physical.length + 1);
  }
}
