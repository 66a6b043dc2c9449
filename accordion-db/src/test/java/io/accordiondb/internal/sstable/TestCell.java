// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.CellCursor;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;

/** A cell in the plainest form, with bytes as Latin-1, and an order of its own. */
record TestCell(
    String row,
    String family,
    String qualifier,
    long timestamp,
    CellType type,
    String value,
    long sequence,
    String tags)
    implements Comparable<TestCell> {

  private static final Comparator<TestCell> KEY_ORDER =
      Comparator.comparing(TestCell::row)
          .thenComparing(TestCell::family)
          .thenComparing(TestCell::qualifier)
          .thenComparing(Comparator.comparingLong(TestCell::timestamp).reversed())
          .thenComparing(Comparator.comparingInt((TestCell c) -> c.type.code()).reversed());

  /** Creates a cell without tags. */
  TestCell(
      String row,
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      String value,
      long sequence) {
    this(row, family, qualifier, timestamp, type, value, sequence, "");
  }

  /** Returns the same cell with a time to live. */
  TestCell withTtl(long millis) {
    return withTags(CellTags.withTtl(latin1(tags), millis));
  }

  /** Returns the same cell with other tags. */
  TestCell withTags(byte[] newTags) {
    return new TestCell(
        row,
        family,
        qualifier,
        timestamp,
        type,
        value,
        sequence,
        new String(newTags, StandardCharsets.ISO_8859_1));
  }

  boolean hasTtl() {
    return CellTags.ttlMillis(latin1(tags)) != CellTags.FOREVER;
  }

  static TestCell put(String row, String qualifier, String value, long sequence) {
    return new TestCell(row, "", qualifier, 1, CellType.PUT, value, sequence);
  }

  /** Returns the serialised cell, in a buffer that holds nothing else. */
  ByteBuffer bytes() {
    int length =
        KeyValueLayout.length(row.length(), family.length(), qualifier.length(), value.length());
    int tagsBytes = tags.isEmpty() ? 0 : Short.BYTES + tags.length();
    ByteBuffer target = ByteBuffer.allocate(length + tagsBytes);
    if (tagsBytes > 0) {
      CellTags.write(target, length, latin1(tags));
    }
    KeyValueLayout.write(
        target,
        0,
        latin1(row),
        latin1(family),
        latin1(qualifier),
        timestamp,
        type.code(),
        latin1(value));
    return target;
  }

  /** Returns the cell on which a cursor stands. */
  static TestCell current(CellCursor cursor) {
    ByteBuffer bytes = cursor.buffer();
    int at = cursor.offset();
    return new TestCell(
            string(bytes, KeyValueLayout.rowOffset(at), KeyValueLayout.rowLength(bytes, at)),
            string(
                bytes,
                KeyValueLayout.familyOffset(bytes, at),
                KeyValueLayout.familyLength(bytes, at)),
            string(
                bytes,
                KeyValueLayout.qualifierOffset(bytes, at),
                KeyValueLayout.qualifierLength(bytes, at)),
            KeyValueLayout.timestamp(bytes, at),
            CellType.of(KeyValueLayout.typeCode(bytes, at)),
            string(
                bytes,
                KeyValueLayout.valueOffset(bytes, at),
                KeyValueLayout.valueLength(bytes, at)),
            cursor.sequenceNumber())
        .withTags(CellTags.copyOf(bytes, at, cursor.length()));
  }

  int compareKey(TestCell other) {
    return KEY_ORDER.compare(this, other);
  }

  @Override
  public int compareTo(TestCell other) {
    int order = compareKey(other);
    return order != 0 ? order : Long.compare(other.sequence, sequence);
  }

  private static byte[] latin1(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String string(ByteBuffer bytes, int offset, int length) {
    byte[] copy = new byte[length];
    bytes.get(offset, copy);
    return new String(copy, StandardCharsets.ISO_8859_1);
  }
}
