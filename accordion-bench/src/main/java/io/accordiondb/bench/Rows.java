// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import site.ycsb.Utils;

/**
 * Keys and values by number: the key of a record as YCSB makes it, "user" and a hash, padded to one
 * length; the value of a field as printable bytes that record, operation and field determine.
 */
public final class Rows {
  private static final byte[] PREFIX = {'u', 's', 'e', 'r'};
  private static final int HASH_DIGITS = 19;
  private static final long PRINTABLE_MASK = 0x3F3F_3F3F_3F3F_3F3FL;
  private static final long PRINTABLE_BASE = 0x2020_2020_2020_2020L;

  /** The least length of a key: four letters and the digits of any hash. */
  public static final int KEY_BYTES_MIN = PREFIX.length + HASH_DIGITS;

  private final int keyBytes;
  private final int fields;
  private final int fieldBytes;

  /**
   * Creates rows of one shape.
   *
   * @param keyBytes length of a key, at least {@link #KEY_BYTES_MIN}
   */
  public Rows(int keyBytes, int fields, int fieldBytes) {
    if (keyBytes < KEY_BYTES_MIN) {
      throw new IllegalArgumentException(
          "key length is " + keyBytes + ", expected " + KEY_BYTES_MIN + " or more");
    }
    this.keyBytes = keyBytes;
    this.fields = fields;
    this.fieldBytes = fieldBytes;
  }

  /** Returns the key of a record. */
  public byte[] key(long record) {
    byte[] key = new byte[keyBytes];
    System.arraycopy(PREFIX, 0, key, 0, PREFIX.length);
    long hash = Utils.hash(record);
    for (int i = keyBytes - 1; i >= PREFIX.length; i--) {
      key[i] = (byte) ('0' + hash % 10);
      hash /= 10;
    }
    return key;
  }

  /**
   * Returns the length of a prefix that about as many keys share as wanted. A digit more divides
   * their number by ten, so they may be three times as many, or a third.
   *
   * @param records how many keys there are
   * @param sharing how many shall share a prefix, at least 1
   */
  public int prefixBytes(long records, int sharing) {
    long digits = Math.round(Math.log10((double) records / sharing));
    return keyBytes - HASH_DIGITS + (int) Math.max(0, digits);
  }

  /** Returns the values of a record's fields as an operation writes them. */
  public byte[][] values(long record, long operation) {
    byte[][] values = new byte[fields][];
    for (int field = 0; field < fields; field++) {
      values[field] = value(record, operation, field);
    }
    return values;
  }

  /** Returns the value of one field as an operation writes it. */
  public byte[] value(long record, long operation, int field) {
    ByteBuffer bytes = ByteBuffer.allocate(fieldBytes + Long.BYTES);
    long state = (record * 31 + operation) * 31 + field;
    while (bytes.position() < fieldBytes) {
      state += 0x9E37_79B9_7F4A_7C15L;
      long mixed = (state ^ state >>> 30) * 0xBF58_476D_1CE4_E5B9L;
      mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
      bytes.putLong((mixed & PRINTABLE_MASK) + PRINTABLE_BASE);
    }
    return Arrays.copyOf(bytes.array(), fieldBytes);
  }
}
