// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.nio.ByteBuffer;

/**
 * Encodes integers in seven-bit groups, least significant group first; the high bit of a byte says
 * that another byte follows. Negative numbers use the zigzag encoding.
 */
final class Varints {
  /** Bytes of the longest 32-bit varint. */
  static final int INT_BYTES_MAX = 5;

  /** Bytes of the longest 64-bit varint. */
  static final int LONG_BYTES_MAX = 10;

  private Varints() {}

  /** Writes a varint and returns the position after it. */
  static int putInt(byte[] target, int at, int value) {
    int rest = value;
    int position = at;
    while ((rest & ~0x7F) != 0) {
      target[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[position++] = (byte) rest;
    return position;
  }

  /** Writes a varint and returns the position after it. */
  static int putLong(byte[] target, int at, long value) {
    long rest = value;
    int position = at;
    while ((rest & ~0x7FL) != 0) {
      target[position++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[position++] = (byte) rest;
    return position;
  }

  /**
   * Reads the varint at a position. Any bytes give some value: bits beyond the 64th are dropped,
   * and a varint ends at its tenth byte or at {@code end}. A caller that skips it by {@link
   * #length} detects that it was cut off.
   */
  static long getLong(byte[] source, int at, int end) {
    int stop = Math.min(end, at + LONG_BYTES_MAX);
    long value = 0;
    for (int i = at, shift = 0; i < stop; i++, shift += 7) {
      long group = source[i];
      value |= (group & 0x7F) << shift;
      if (group >= 0) {
        break;
      }
    }
    return value;
  }

  /**
   * Returns the length in bytes of the varint at a position, which reaches beyond {@code end} if
   * the varint does.
   */
  static int length(byte[] source, int at, int end) {
    int stop = Math.min(end, at + LONG_BYTES_MAX - 1);
    int i = at;
    while (i < stop && source[i] < 0) {
      i++;
    }
    return i + 1 - at;
  }

  /** Same as {@link #getLong(byte[], int, int)}, outside the heap. */
  static long getLong(ByteBuffer source, int at, int end) {
    int stop = Math.min(end, at + LONG_BYTES_MAX);
    long value = 0;
    for (int i = at, shift = 0; i < stop; i++, shift += 7) {
      long group = source.get(i);
      value |= (group & 0x7F) << shift;
      if (group >= 0) {
        break;
      }
    }
    return value;
  }

  /** Same as {@link #length(byte[], int, int)}, outside the heap. */
  static int length(ByteBuffer source, int at, int end) {
    int stop = Math.min(end, at + LONG_BYTES_MAX - 1);
    int i = at;
    while (i < stop && source.get(i) < 0) {
      i++;
    }
    return i + 1 - at;
  }

  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  static long unzigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
