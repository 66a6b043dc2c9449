// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.encoding;

import java.nio.ByteBuffer;
import java.util.Arrays;

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

  /** The tags of a cell that has none. */
  public static final byte[] NONE = {};

  private static final int TAGS_BYTES_MAX = 0xFFFF;

  private CellTags() {}

  /**
   * {@return tags that hold a time to live, without the length of all of them}
   *
   * @param ttlMillis the time to live in milliseconds; {@link #FOREVER} for no tags
   */
  public static byte[] ofTtl(long ttlMillis) {
    return ttlMillis == FOREVER ? NONE : withTtl(NONE, ttlMillis);
  }

  /**
   * {@return tags with another time to live}
   *
   * @param tags well-formed tags without the length of all of them; not changed
   * @param ttlMillis the time to live in milliseconds; {@link #FOREVER} for none
   */
  public static byte[] withTtl(byte[] tags, long ttlMillis) {
    ByteBuffer source = ByteBuffer.wrap(tags);
    ByteBuffer result = ByteBuffer.allocate(tags.length + TTL_TAG_BYTES);
    if (ttlMillis != FOREVER) {
      result.putShort((short) (TTL_TAG_BYTES - Short.BYTES)).put((byte) TTL).putLong(ttlMillis);
    }
    for (int at = 0; at < tags.length; ) {
      int bytes = Short.BYTES + (source.getShort(at) & 0xFFFF);
      if (source.get(at + Short.BYTES) != TTL) {
        result.put(tags, at, bytes);
      }
      at += bytes;
    }
    return result.position() == 0 ? NONE : Arrays.copyOf(result.array(), result.position());
  }

  /**
   * Checks tags of unknown origin.
   *
   * @param tags tags without the length of all of them
   * @return the same tags
   * @throws IllegalArgumentException if they are not tags, or longer than 65,535 bytes
   */
  public static byte[] check(byte[] tags) {
    if (tags.length == 0) {
      return tags;
    }
    if (tags.length > TAGS_BYTES_MAX) {
      throw new IllegalArgumentException(
          "tags have " + tags.length + " bytes, expected up to " + TAGS_BYTES_MAX);
    }
    try {
      checkTags(ByteBuffer.wrap(tags), 0, tags.length);
    } catch (MalformedCellException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return tags;
  }

  /**
   * {@return a copy of the tags of a cell, without the length of all of them}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   */
  public static byte[] copyOf(ByteBuffer buffer, int offset, int length) {
    int from = KeyValueLayout.length(buffer, offset) + Short.BYTES;
    if (from >= length) {
      return NONE;
    }
    byte[] tags = new byte[length - from];
    buffer.get(offset + from, tags);
    return tags;
  }

  /**
   * Writes tags behind a value.
   *
   * @param target the buffer to write to; its position and limit do not move
   * @param at offset in {@code target} at which to write, in bytes
   * @param tags tags without the length of all of them
   * @return the number of bytes written
   */
  public static int write(ByteBuffer target, int at, byte[] tags) {
    target.putShort(at, (short) tags.length);
    target.put(at + Short.BYTES, tags);
    return Short.BYTES + tags.length;
  }

  /**
   * {@return the time to live of a cell in milliseconds, or {@link #FOREVER} if it says none}
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   */
  public static long ttlMillis(ByteBuffer buffer, int offset, int length) {
    int at = offset + KeyValueLayout.length(buffer, offset) + Short.BYTES;
    return ttlMillisIn(buffer, at, offset + length);
  }

  /**
   * {@return the time to live that tags hold in milliseconds, or {@link #FOREVER}}
   *
   * @param tags tags without the length of all of them
   */
  public static long ttlMillis(byte[] tags) {
    return tags.length == 0 ? FOREVER : ttlMillisIn(ByteBuffer.wrap(tags), 0, tags.length);
  }

  private static long ttlMillisIn(ByteBuffer buffer, int from, int end) {
    int at = from;
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
    long oldest = nowMillis - ttlMillis;
    // Above the present time it has overflowed, unless the time to live is negative.
    boolean mayExpire = ttlMillis != FOREVER && (oldest <= nowMillis || ttlMillis < 0);
    return mayExpire && KeyValueLayout.timestamp(buffer, offset) < oldest;
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
    return checkTags(buffer, at + Short.BYTES, tagsLength) - offset;
  }

  /** Checks that there are tags, and returns where they end. */
  private static int checkTags(ByteBuffer buffer, int from, int tagsLength) {
    int at = from;
    for (int left = tagsLength; left > 0; ) {
      int tagLength = left < TAG_HEADER_BYTES ? -1 : buffer.getShort(at) & 0xFFFF;
      if (tagLength < Byte.BYTES || tagLength > left - Short.BYTES) {
        throw new MalformedCellException("tag length", tagLength, 1, left - Short.BYTES);
      }
      at += Short.BYTES + tagLength;
      left -= Short.BYTES + tagLength;
    }
    return at;
  }
}
