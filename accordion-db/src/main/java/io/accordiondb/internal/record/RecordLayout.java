// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import java.util.zip.CRC32C;

/**
 * The positions of the fields in a record file, big-endian.
 *
 * <pre>
 *   file header   magic (8) · format version (4) · file number (8) · CRC (4) of these
 *   record        header CRC (4) · payload CRC (4) · payload length (4) · count (4)
 *                 · first sequence number (8) · payload
 * </pre>
 *
 * A record's header CRC covers the header's other fields and the file number, so that a record of
 * another file is never mistaken for one of this file. CRCs are CRC32C, masked because some of them
 * cover data that contain CRCs.
 */
final class RecordLayout {
  static final int FILE_MAGIC = 0;
  static final int FILE_VERSION = 8;
  static final int FILE_NUMBER = 12;
  static final int FILE_CRC = 20;
  static final int FILE_HEADER_BYTES = 24;

  static final int HEADER_CRC = 0;
  static final int PAYLOAD_CRC = 4;
  static final int PAYLOAD_BYTES = 8;
  static final int COUNT = 12;
  static final int FIRST_SEQUENCE = 16;
  static final int HEADER_BYTES = 24;

  /**
   * The offset of the file number behind a header in memory, so that one pass computes the
   * checksum. It is not in the file.
   */
  static final int OWNER_NUMBER = HEADER_BYTES;

  static final int HEADER_AND_OWNER_BYTES = HEADER_BYTES + Long.BYTES;

  /** Longest payload, for readers and writers. */
  static final int PAYLOAD_BYTES_MAX = 256 << 20;

  private static final int MASK_DELTA = 0xA282EAD8;
  private static final int MASK_ROTATION = 15;

  private RecordLayout() {}

  static int mask(int crc) {
    return Integer.rotateRight(crc, MASK_ROTATION) + MASK_DELTA;
  }

  /** Returns the masked checksum of a record's header, which is followed by the file number. */
  static int headerCrc(CRC32C crc, byte[] headerAndOwner) {
    crc.reset();
    crc.update(headerAndOwner, PAYLOAD_CRC, HEADER_AND_OWNER_BYTES - PAYLOAD_CRC);
    return mask((int) crc.getValue());
  }
}
