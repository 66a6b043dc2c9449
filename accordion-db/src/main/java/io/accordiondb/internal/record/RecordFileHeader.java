// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The header of a record file. Immutable.
 *
 * @param magic identifies the kind of file
 * @param fileNumber number of the file, which no other file ever has
 * @param version format version of the file when it is written; the highest accepted version when
 *     it is read
 */
public record RecordFileHeader(long magic, long fileNumber, int version) {
  /** Bytes of a header in the file. */
  public static final int BYTES = RecordLayout.FILE_HEADER_BYTES;

  /** The version of files that grow with what is appended. */
  public static final int GROWING = 1;

  /**
   * The version of files that have their full length and are filled with zeros before records are
   * written.
   */
  public static final int FILLED = 2;

  /** The version of log files that grow and whose links mention the manifest. */
  public static final int LINKED_GROWING = 3;

  /** The version of log files that are filled and whose links mention the manifest. */
  public static final int LINKED_FILLED = 4;

  /** Returns whether files of a version are filled with zeros before records are written. */
  static boolean isFilled(int version) {
    return version == FILLED || version == LINKED_FILLED;
  }

  ByteBuffer encode() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    buffer.putLong(RecordLayout.FILE_MAGIC, magic);
    buffer.putInt(RecordLayout.FILE_VERSION, version);
    buffer.putLong(RecordLayout.FILE_NUMBER, fileNumber);
    buffer.putInt(RecordLayout.FILE_CRC, crcOf(buffer));
    return buffer;
  }

  /** Returns whether the bytes are those of a header of any kind, version and number. */
  static boolean isSound(ByteBuffer buffer) {
    return buffer.getInt(RecordLayout.FILE_CRC) == crcOf(buffer);
  }

  /** Checks that the bytes are those of this header; returns their version. */
  int check(ByteBuffer buffer, String file) throws CorruptionException, FormatVersionException {
    if (!isSound(buffer)) {
      throw new CorruptionException(
          file,
          0,
          "a header with checksum " + hex(crcOf(buffer)),
          hex(buffer.getInt(RecordLayout.FILE_CRC)));
    }
    long foundMagic = buffer.getLong(RecordLayout.FILE_MAGIC);
    if (foundMagic != magic) {
      throw new CorruptionException(
          file, 0, "magic " + Long.toHexString(magic), Long.toHexString(foundMagic));
    }
    int found = buffer.getInt(RecordLayout.FILE_VERSION);
    if (found < GROWING || found > version) {
      throw new FormatVersionException(file, found, version);
    }
    long number = buffer.getLong(RecordLayout.FILE_NUMBER);
    if (number != fileNumber) {
      throw new CorruptionException(
          file, RecordLayout.FILE_NUMBER, "file number " + fileNumber, Long.toString(number));
    }
    return found;
  }

  private static int crcOf(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.array(), 0, RecordLayout.FILE_CRC);
    return RecordLayout.mask((int) crc.getValue());
  }

  private static String hex(int value) {
    return String.format(Locale.ROOT, "%08x", value);
  }
}
