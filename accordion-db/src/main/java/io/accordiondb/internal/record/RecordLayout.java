// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Where the fields of a record file lie, big-endian.
 *
 * <pre>
 *   file header   magic (8) · format version (4) · file number (8) · previous file: number (8),
 *                 length (8), last sequence number (8) · CRC32C of these (4)
 *   record        header CRC32C (4) · payload CRC32C (4) · payload length (4) · count (4)
 *                 · first sequence number (8) · payload
 * </pre>
 *
 * A record's header CRC covers the header's other fields and the file number, so that a record of
 * another file is never taken for one of this. CRCs are masked, because they cover data that hold
 * CRCs themselves.
 */
final class RecordLayout {
  static final int FORMAT_VERSION = 1;

  static final int FILE_MAGIC = 0;
  static final int FILE_VERSION = 8;
  static final int FILE_NUMBER = 12;
  static final int FILE_PREVIOUS_NUMBER = 20;
  static final int FILE_PREVIOUS_BYTES = 28;
  static final int FILE_PREVIOUS_SEQUENCE = 36;
  static final int FILE_CRC = 44;
  static final int FILE_HEADER_BYTES = 48;

  static final int HEADER_CRC = 0;
  static final int PAYLOAD_CRC = 4;
  static final int PAYLOAD_BYTES = 8;
  static final int COUNT = 12;
  static final int FIRST_SEQUENCE = 16;
  static final int HEADER_BYTES = 24;

  /** Longest payload that a reader accepts. */
  static final int PAYLOAD_BYTES_MAX = 256 << 20;

  private static final int MASK_DELTA = 0xA282EAD8;

  private RecordLayout() {}

  static int mask(int crc) {
    return Integer.rotateRight(crc, 15) + MASK_DELTA;
  }

  static int crcOf(ByteBuffer buffer, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().limit(offset + length).position(offset));
    return (int) crc.getValue();
  }

  /** Returns the checksum of a record's header in a file. */
  static int headerCrc(ByteBuffer buffer, int offset, long fileNumber) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate().limit(offset + HEADER_BYTES).position(offset + PAYLOAD_CRC));
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      crc.update((int) (fileNumber >>> shift));
    }
    return mask((int) crc.getValue());
  }
}
