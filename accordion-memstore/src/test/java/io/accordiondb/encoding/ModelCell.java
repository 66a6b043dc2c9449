// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;

/**
 * A cell in plain fields, with the order of cells written as a chain of comparisons. Bytes are
 * strings of Latin-1, whose natural order is that of unsigned bytes, so that cells are equal by
 * value and readable in a failure's message.
 */
public record ModelCell(
    String row,
    String family,
    String qualifier,
    long timestamp,
    CellType type,
    long sequence,
    String value,
    long ttlMillis)
    implements Comparable<ModelCell> {

  private static final Comparator<ModelCell> KEY_ORDER =
      Comparator.comparing(ModelCell::row)
          .thenComparing(ModelCell::family)
          .thenComparing(ModelCell::qualifier)
          .thenComparing(Comparator.comparingLong(ModelCell::timestamp).reversed())
          .thenComparing(
              Comparator.comparingInt((ModelCell cell) -> cell.type().code()).reversed());

  /** Creates a cell that does not expire by itself. */
  public ModelCell(
      String row,
      String family,
      String qualifier,
      long timestamp,
      CellType type,
      long sequence,
      String value) {
    this(row, family, qualifier, timestamp, type, sequence, value, CellTags.FOREVER);
  }

  private static final Comparator<ModelCell> ORDER =
      KEY_ORDER.thenComparing(Comparator.comparingLong(ModelCell::sequence).reversed());

  /** Returns a put without family. */
  public static ModelCell put(
      String row, String qualifier, long timestamp, long sequence, String value) {
    return new ModelCell(row, "", qualifier, timestamp, CellType.PUT, sequence, value);
  }

  /** Returns a key that comes before all cells of a row. */
  public static ModelCell firstOfRow(String row) {
    return new ModelCell(row, "", "", Long.MAX_VALUE, CellType.DELETE_FAMILY, Long.MAX_VALUE, "");
  }

  /** Decodes the cell at an offset, whose length includes its tags. */
  public static ModelCell read(ByteBuffer buffer, int offset, int length, long sequence) {
    ModelCell cell = read(buffer, offset, sequence);
    return CellTags.hasTtl(buffer, offset, length)
        ? cell.withTtl(CellTags.ttlMillis(buffer, offset, length))
        : cell;
  }

  /** Decodes the cell at an offset, without its tags. */
  public static ModelCell read(ByteBuffer buffer, int offset, long sequence) {
    return new ModelCell(
        text(buffer, KeyValueLayout.rowOffset(offset), KeyValueLayout.rowLength(buffer, offset)),
        text(
            buffer,
            KeyValueLayout.familyOffset(buffer, offset),
            KeyValueLayout.familyLength(buffer, offset)),
        text(
            buffer,
            KeyValueLayout.qualifierOffset(buffer, offset),
            KeyValueLayout.qualifierLength(buffer, offset)),
        KeyValueLayout.timestamp(buffer, offset),
        CellType.of(KeyValueLayout.typeCode(buffer, offset)),
        sequence,
        text(
            buffer,
            KeyValueLayout.valueOffset(buffer, offset),
            KeyValueLayout.valueLength(buffer, offset)));
  }

  /** Returns the cells one after another, each with the length of its tags, and its tags. */
  public static ByteBuffer encodeTagged(List<ModelCell> cells) {
    int bytes = cells.stream().mapToInt(cell -> cell.length() + Short.BYTES).sum();
    ByteBuffer buffer = ByteBuffer.allocate(bytes);
    int at = 0;
    for (ModelCell cell : cells) {
      at += cell.writeTo(buffer, at);
      if (!cell.hasTtl()) {
        at += Short.BYTES;
      }
    }
    return buffer.limit(at);
  }

  /**
   * Returns the cells one after another, as a host hands a batch over; a cell that expires by
   * itself is followed by its tags.
   */
  public static ByteBuffer encode(List<ModelCell> cells) {
    ByteBuffer buffer = ByteBuffer.allocate(cells.stream().mapToInt(ModelCell::length).sum());
    int at = 0;
    for (ModelCell cell : cells) {
      at += cell.writeTo(buffer, at);
    }
    return buffer;
  }

  /** Returns the cell alone in a buffer. */
  public ByteBuffer encode() {
    return encode(List.of(this));
  }

  /** Writes the cell and returns its length. */
  public int writeTo(ByteBuffer buffer, int offset) {
    int length =
        KeyValueLayout.write(
            buffer,
            offset,
            row.getBytes(ISO_8859_1),
            family.getBytes(ISO_8859_1),
            qualifier.getBytes(ISO_8859_1),
            timestamp,
            type.code(),
            value.getBytes(ISO_8859_1));
    return hasTtl()
        ? length + CellTags.write(buffer, offset + length, CellTags.ofTtl(ttlMillis))
        : length;
  }

  /** Returns whether the cell expires by itself. */
  public boolean hasTtl() {
    return ttlMillis != CellTags.FOREVER;
  }

  /** Returns the serialised length in bytes. */
  public int length() {
    int length =
        KeyValueLayout.length(row.length(), family.length(), qualifier.length(), value.length());
    return hasTtl() ? length + CellTags.TTL_BYTES : length;
  }

  /** Returns the same cell with another sequence number. */
  public ModelCell withSequence(long number) {
    return new ModelCell(row, family, qualifier, timestamp, type, number, value, ttlMillis);
  }

  /** Returns the same cell with a time to live. */
  public ModelCell withTtl(long millis) {
    return new ModelCell(row, family, qualifier, timestamp, type, sequence, value, millis);
  }

  /** Returns whether two cells are of the same row, family and qualifier. */
  public boolean sameColumn(ModelCell other) {
    return row.equals(other.row)
        && family.equals(other.family)
        && qualifier.equals(other.qualifier);
  }

  /** Compares all but the sequence numbers. */
  public int compareKey(ModelCell other) {
    return KEY_ORDER.compare(this, other);
  }

  @Override
  public int compareTo(ModelCell other) {
    return ORDER.compare(this, other);
  }

  private static String text(ByteBuffer buffer, int offset, int length) {
    byte[] bytes = new byte[length];
    buffer.get(offset, bytes);
    return new String(bytes, ISO_8859_1);
  }
}
