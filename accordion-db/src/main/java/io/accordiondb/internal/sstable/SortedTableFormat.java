// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.BloomKind;
import io.accordiondb.Compression;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The constants of the file format. All integers of a file are big-endian.
 *
 * <pre>
 *   file   = { data block | index block | filter block } [filter index] root properties footer
 *   block  = payload, compression id (1), uncompressed length (4), masked CRC32C of all before (4)
 * </pre>
 *
 * Every byte of the file belongs to a block or the footer, so a checksum covers it.
 */
final class SortedTableFormat {
  /** The last eight bytes of every sorted table. */
  static final long MAGIC = 0x4163_6364_5461_626CL;

  /** The newest version, which is written if cells have tags. */
  static final int VERSION = 2;

  /** The version that is written if no cell has tags. */
  static final int VERSION_WITHOUT_TAGS = 1;

  /** Bytes after the payload of a block. */
  static final int BLOCK_TRAILER_BYTES = 9;

  /** Longest cell in a table. */
  static final int CELL_BYTES_MAX = 256 << 20;

  /**
   * Longest payload of a block, compressed or not. A reader never allocates more than this because
   * of a length in a file. A data block holds less than the largest block size and one cell; the
   * rest is for restart points, and for indices, which grow with the file.
   */
  static final int PAYLOAD_BYTES_MAX = CELL_BYTES_MAX + (64 << 20);

  /** Rows or columns of one filter block. */
  static final int FILTER_BLOCK_KEYS_MAX = 1 << 13;

  /** Bits of a filter for each row or column. */
  static final int FILTER_BITS_PER_KEY = 10;

  /** Largest number of a compression. */
  static final int COMPRESSION_ID_MAX = 2;

  /** Largest number of a kind of Bloom filter. */
  static final int BLOOM_KIND_ID_MAX = 2;

  private static final int CRC_MASK_ROTATION = 15;
  private static final int CRC_MASK_DELTA = 0xA282_EAD8;

  private SortedTableFormat() {}

  /** Returns the number that stands for a compression in files. */
  static int compressionId(Compression compression) {
    return switch (compression) {
      case NONE -> 0;
      case LZ4 -> 1;
      case ZSTD -> 2;
    };
  }

  /** Returns the compression of a number from 0 to {@link #COMPRESSION_ID_MAX}. */
  static Compression compression(int id) {
    return switch (id) {
      case 0 -> Compression.NONE;
      case 1 -> Compression.LZ4;
      case 2 -> Compression.ZSTD;
      default -> throw new IllegalArgumentException("no compression has number " + id);
    };
  }

  /** Returns the number that stands for a kind of Bloom filter in files. */
  static int bloomKindId(BloomKind kind) {
    return switch (kind) {
      case NONE -> 0;
      case ROW -> 1;
      case ROWCOL -> 2;
    };
  }

  /** Returns the kind of Bloom filter of a number from 0 to {@link #BLOOM_KIND_ID_MAX}. */
  static BloomKind bloomKind(int id) {
    return switch (id) {
      case 0 -> BloomKind.NONE;
      case 1 -> BloomKind.ROW;
      case 2 -> BloomKind.ROWCOL;
      default -> throw new IllegalArgumentException("no kind of Bloom filter has number " + id);
    };
  }

  /**
   * Returns the CRC32C of the first bytes of an array followed by those of another one, as it is
   * stored. It is masked, because a value may hold a whole table, and the CRC of bytes that end in
   * their own CRC is always the same.
   */
  static int maskedCrc(byte[] bytes, int length, byte[] more, int moreLength) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    crc.update(more, 0, moreLength);
    return mask(crc);
  }

  /** Returns a CRC32C as it is stored. */
  static int mask(CRC32C crc) {
    return Integer.rotateRight((int) crc.getValue(), CRC_MASK_ROTATION) + CRC_MASK_DELTA;
  }

  /** Returns the CRC32C of the first bytes of an array as it is stored. */
  static int maskedCrc(byte[] bytes, int length) {
    return maskedCrc(bytes, length, bytes, 0);
  }

  /** Returns the CRC32C of the first bytes of a buffer as it is stored; moves its position. */
  static int maskedCrc(ByteBuffer bytes, int length) {
    CRC32C crc = new CRC32C();
    int limit = bytes.limit();
    crc.update(bytes.position(0).limit(length));
    bytes.limit(limit);
    return mask(crc);
  }
}
