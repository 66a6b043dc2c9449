// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.nio.ByteBuffer;

/**
 * What a record file says of itself and of the file before it. Immutable.
 *
 * @param magic kind of file
 * @param fileNumber number of the file
 * @param previousNumber number of the file that was sealed before this one was begun; 0 for none
 * @param previousBytes its final length
 * @param previousSequence its last sequence number
 */
public record RecordFileHeader(
    long magic, long fileNumber, long previousNumber, long previousBytes, long previousSequence) {

  /** Bytes of a header in the file. */
  public static final int BYTES = RecordLayout.FILE_HEADER_BYTES;

  /** Returns a header of a file that follows none. */
  public static RecordFileHeader first(long magic, long fileNumber) {
    return new RecordFileHeader(magic, fileNumber, 0, 0, 0);
  }

  ByteBuffer encode() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    buffer.putLong(RecordLayout.FILE_MAGIC, magic);
    buffer.putInt(RecordLayout.FILE_VERSION, RecordLayout.FORMAT_VERSION);
    buffer.putLong(RecordLayout.FILE_NUMBER, fileNumber);
    buffer.putLong(RecordLayout.FILE_PREVIOUS_NUMBER, previousNumber);
    buffer.putLong(RecordLayout.FILE_PREVIOUS_BYTES, previousBytes);
    buffer.putLong(RecordLayout.FILE_PREVIOUS_SEQUENCE, previousSequence);
    buffer.putInt(
        RecordLayout.FILE_CRC,
        RecordLayout.mask(RecordLayout.crcOf(buffer, 0, RecordLayout.FILE_CRC)));
    return buffer;
  }

  static RecordFileHeader decode(ByteBuffer buffer, String file, long magic, long fileNumber)
      throws CorruptionException, FormatVersionException {
    int crc = buffer.getInt(RecordLayout.FILE_CRC);
    int actual = RecordLayout.mask(RecordLayout.crcOf(buffer, 0, RecordLayout.FILE_CRC));
    if (crc != actual) {
      throw new CorruptionException(
          file, 0, "header checksum " + Integer.toHexString(actual), Integer.toHexString(crc));
    }
    long foundMagic = buffer.getLong(RecordLayout.FILE_MAGIC);
    if (foundMagic != magic) {
      throw new CorruptionException(
          file, 0, "magic " + Long.toHexString(magic), Long.toHexString(foundMagic));
    }
    int version = buffer.getInt(RecordLayout.FILE_VERSION);
    if (version != RecordLayout.FORMAT_VERSION) {
      throw new FormatVersionException(file, version, RecordLayout.FORMAT_VERSION);
    }
    long number = buffer.getLong(RecordLayout.FILE_NUMBER);
    if (number != fileNumber) {
      throw new CorruptionException(
          file, RecordLayout.FILE_NUMBER, "file number " + fileNumber, Long.toString(number));
    }
    return new RecordFileHeader(
        magic,
        number,
        buffer.getLong(RecordLayout.FILE_PREVIOUS_NUMBER),
        buffer.getLong(RecordLayout.FILE_PREVIOUS_BYTES),
        buffer.getLong(RecordLayout.FILE_PREVIOUS_SEQUENCE));
  }
}
