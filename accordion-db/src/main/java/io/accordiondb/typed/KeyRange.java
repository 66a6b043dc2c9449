// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A range of encoded keys, each end open, inclusive or exclusive. Immutable; may be empty. */
final class KeyRange {
  /** All keys. */
  static final KeyRange ALL = new KeyRange(null, true, null, false);

  private final byte @Nullable [] low;
  private final boolean lowInclusive;
  private final byte @Nullable [] high;
  private final boolean highInclusive;

  private KeyRange(
      byte @Nullable [] low, boolean lowInclusive, byte @Nullable [] high, boolean highInclusive) {
    this.low = low;
    this.lowInclusive = lowInclusive;
    this.high = high;
    this.highInclusive = highInclusive;
  }

  /** Returns the keys from one on, inclusive. */
  static KeyRange from(byte[] key) {
    return new KeyRange(key, true, null, false);
  }

  /** Returns the keys from one, inclusive, to another, exclusive; null for open ends. */
  static KeyRange between(byte @Nullable [] from, byte @Nullable [] to) {
    return new KeyRange(from, true, to, false);
  }

  /** Returns the keys of this range that are not lower than one. */
  KeyRange atLeast(byte[] key, boolean inclusive) {
    if (low != null) {
      int order = Arrays.compareUnsigned(key, low);
      if (order < 0 || order == 0 && !lowInclusive) {
        return this;
      }
    }
    return new KeyRange(key.clone(), inclusive, high, highInclusive);
  }

  /** Returns the keys of this range that are not higher than one. */
  KeyRange atMost(byte[] key, boolean inclusive) {
    if (high != null) {
      int order = Arrays.compareUnsigned(key, high);
      if (order > 0 || order == 0 && !highInclusive) {
        return this;
      }
    }
    return new KeyRange(low, lowInclusive, key.clone(), inclusive);
  }

  /** Returns the lowest encoding of the range; null if it begins with the first key. */
  byte @Nullable [] start() {
    return low == null || lowInclusive ? low : behind(low);
  }

  /** Returns the lowest encoding above the range; null if it ends with the last key. */
  byte @Nullable [] end() {
    return high == null || !highInclusive ? high : behind(high);
  }

  /** Returns whether no key can be in the range. */
  boolean isEmpty() {
    byte[] start = start();
    byte[] end = end();
    return end != null
        && (end.length == 0 || start != null && Arrays.compareUnsigned(start, end) >= 0);
  }

  boolean contains(byte[] key) {
    if (low != null) {
      int order = Arrays.compareUnsigned(key, low);
      if (order < 0 || order == 0 && !lowInclusive) {
        return false;
      }
    }
    if (high != null) {
      int order = Arrays.compareUnsigned(key, high);
      return order < 0 || order == 0 && highInclusive;
    }
    return true;
  }

  /** Returns whether a range within this one may end at a key. */
  boolean mayEndAt(byte[] key, boolean inclusive) {
    return inclusive
        ? contains(key)
        : (low == null || Arrays.compareUnsigned(key, low) >= 0)
            && (high == null || Arrays.compareUnsigned(key, high) <= 0);
  }

  /** Returns the lowest encoding above another one. */
  private static byte[] behind(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }
}
