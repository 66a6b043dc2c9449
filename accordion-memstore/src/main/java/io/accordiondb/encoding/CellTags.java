// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;

/**
 * The codec of HBase's tags, which may follow the value of a cell, big-endian. A cell with tags is
 * longer than {@link KeyValueLayout#length(ByteBuffer, int)} returns.
 *
 * <pre>
 *   tags = length of all tags (2), { tag }
 *   tag  = length of type and value (2), type (1), value
 * </pre>
 *
 * <p>The tag {@link #TTL} holds the time to live of its cell in milliseconds, in eight bytes. If a
 * cell has several, the first one counts. All other tags are kept and have no meaning here.
 *
 * <p>All methods are pure and read big-endian buffers at absolute offsets.
 */
public final class CellTags {
  /** The type of the tag that holds a time to live. */
  public static final int TTL = 8;

  /** The time to live of a cell that has none of its own. */
  public static final long FOREVER = Long.MAX_VALUE;

  private static final int TAG_HEADER_BYTES = Short.BYTES + Byte.BYTES;
  private static final int TTL_TAG_BYTES = TAG_HEADER_BYTES + Long.BYTES;

  /** Bytes of the tags of a cell whose only tag is a time to live. */
  public static final int TTL_BYTES = Short.BYTES + TTL_TAG_BYTES;

  private CellTags() {}

  /**
   * Writes tags that hold a time to live.
   *
   * @param target the buffer to write to; its position and limit do not move
   * @param at offset in {@code target} at which to write, in bytes
   * @param ttlMillis the time to live in milliseconds
   * @return the number of bytes written, {@link #TTL_BYTES}
   */
  public static int writeTtl(ByteBuffer target, int at, long ttlMillis) {
    target.putShort(at, (short) TTL_TAG_BYTES);
    target.putShort(at + Short.BYTES, (short) (TTL_TAG_BYTES - Short.BYTES));
    target.put(at + 2 * Short.BYTES, (byte) TTL);
    target.putLong(at + TTL_BYTES - Long.BYTES, ttlMillis);
    return TTL_BYTES;
  }

  /**
   * {@return the time to live of a cell in milliseconds, or {@link #FOREVER} if it says none}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   */
  public static long ttlMillis(ByteBuffer buffer, int offset, int length) {
    int end = offset + length;
    int at = offset + KeyValueLayout.length(buffer, offset) + Short.BYTES;
    while (end - at >= TAG_HEADER_BYTES) {
      int tagLength = buffer.getShort(at) & 0xFFFF;
      if (buffer.get(at + Short.BYTES) == TTL) {
        boolean whole = tagLength == TTL_TAG_BYTES - Short.BYTES && end - at >= TTL_TAG_BYTES;
        return whole ? buffer.getLong(at + TAG_HEADER_BYTES) : FOREVER;
      }
      at += Short.BYTES + tagLength;
    }
    return FOREVER;
  }

  /**
   * {@return whether a cell, whose length includes its tags, has a time to live of its own}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   */
  public static boolean hasTtl(ByteBuffer buffer, int offset, int length) {
    return length != KeyValueLayout.length(buffer, offset)
        && ttlMillis(buffer, offset, length) != FOREVER;
  }

  /**
   * {@return whether the time to live that a cell has of its own has passed, by the rule that holds
   * for families: its timestamp is below the time less the time to live}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param nowMillis the present time, in milliseconds since 1970
   */
  public static boolean isExpired(ByteBuffer buffer, int offset, int length, long nowMillis) {
    if (length == KeyValueLayout.length(buffer, offset)) {
      return false;
    }
    long ttlMillis = ttlMillis(buffer, offset, length);
    return ttlMillis != FOREVER && KeyValueLayout.timestamp(buffer, offset) < nowMillis - ttlMillis;
  }

  /**
   * Checks that bytes of unknown origin begin with a cell and the length of its tags, which may be
   * 0.
   *
   * @param buffer big-endian buffer that holds the bytes
   * @param offset offset of the first byte
   * @param limit offset behind the last byte that may be read
   * @return the number of bytes up to the end of the tags
   * @throws MalformedCellException if it is not so
   */
  public static int checkCell(ByteBuffer buffer, int offset, int limit) {
    int length = KeyValueLayout.checkCell(buffer, offset, limit);
    int at = offset + length;
    if (limit - at < Short.BYTES) {
      throw new MalformedCellException("bytes of tags length", limit - at, 2, 2);
    }
    int tagsMax = limit - at - Short.BYTES;
    int tagsLength = buffer.getShort(at) & 0xFFFF;
    if (tagsLength > tagsMax) {
      throw new MalformedCellException("tags length", tagsLength, 0, tagsMax);
    }
    at += Short.BYTES;
    for (int left = tagsLength; left > 0; ) {
      int tagLength = left < TAG_HEADER_BYTES ? -1 : buffer.getShort(at) & 0xFFFF;
      if (tagLength < Byte.BYTES || tagLength > left - Short.BYTES) {
        throw new MalformedCellException("tag length", tagLength, 1, left - Short.BYTES);
      }
      at += Short.BYTES + tagLength;
      left -= Short.BYTES + tagLength;
    }
    return at - offset;
  }
}
