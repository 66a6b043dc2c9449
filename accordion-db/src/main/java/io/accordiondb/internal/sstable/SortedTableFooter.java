// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last {@value #BYTES} bytes of a sorted table.
 *
 * <pre>
 *   0   properties block (12)      36  file number (8)    52  masked CRC32C of 0 to 51 (4)
 *   12  root index block (12)      44  file length (8)    56  version (4)
 *   24  filter index block (12)                           60  magic (8)
 * </pre>
 *
 * The three handles are those of {@link BlockHandle}; that of the filter index is all zeros if
 * there is no filter. Version and magic are at the same distance from the end of the file in all
 * versions.
 */
record SortedTableFooter(
    BlockHandle properties,
    BlockHandle rootIndex,
    BlockHandle filterIndex,
    long fileNumber,
    long fileBytes,
    int version) {

  /** Length of a footer. */
  static final int BYTES = 68;

  private static final int ROOT_INDEX = 12;
  private static final int FILTER_INDEX = 24;
  private static final int FILE_NUMBER = 36;
  private static final int FILE_BYTES = 44;
  private static final int CRC = 52;
  private static final int VERSION = 56;
  private static final int MAGIC = 60;

  /** Returns the serialised footer. */
  byte[] toBytes() {
    ByteBuffer bytes = ByteBuffer.allocate(BYTES);
    properties.write(bytes, 0);
    rootIndex.write(bytes, ROOT_INDEX);
    filterIndex.write(bytes, FILTER_INDEX);
    bytes.putLong(FILE_NUMBER, fileNumber);
    bytes.putLong(FILE_BYTES, fileBytes);
    bytes.putInt(CRC, SortedTableFormat.maskedCrc(bytes.array(), CRC));
    bytes.putInt(VERSION, version);
    bytes.putLong(MAGIC, SortedTableFormat.MAGIC);
    return bytes.array();
  }

  /**
   * Reads the bytes of a file's footer.
   *
   * @param name of the file, for messages
   * @param fileBytes length of the file
   */
  static byte[] readBytes(StorageReader file, String name, long fileBytes) throws IOException {
    if (fileBytes < BYTES) {
      throw new CorruptionException(name, 0, "at least " + BYTES + " bytes", fileBytes + " bytes");
    }
    byte[] footer = new byte[BYTES];
    file.readFully(ByteBuffer.wrap(footer), fileBytes - BYTES);
    return footer;
  }

  /**
   * Reads a footer.
   *
   * @param name of the file, for messages
   * @param bytes the last {@value #BYTES} bytes of the file
   * @param fileNumber that the file must have
   * @param fileBytes length of the file
   */
  static SortedTableFooter read(String name, byte[] bytes, long fileNumber, long fileBytes)
      throws CorruptionException, FormatVersionException {
    ByteBuffer source = ByteBuffer.wrap(bytes);
    long start = fileBytes - BYTES;
    check(name, start + MAGIC, "the magic number", SortedTableFormat.MAGIC, source.getLong(MAGIC));
    int version = source.getInt(VERSION);
    if (version < SortedTableFormat.VERSION_WITHOUT_TAGS || version > SortedTableFormat.VERSION) {
      throw new FormatVersionException(name, version, SortedTableFormat.VERSION);
    }
    int crc = SortedTableFormat.maskedCrc(bytes, CRC);
    check(name, start + CRC, "checksum", source.getInt(CRC) & 0xFFFF_FFFFL, crc & 0xFFFF_FFFFL);
    SortedTableFooter footer =
        new SortedTableFooter(
            BlockHandle.read(bytes, 0),
            BlockHandle.read(bytes, ROOT_INDEX),
            BlockHandle.read(bytes, FILTER_INDEX),
            source.getLong(FILE_NUMBER),
            source.getLong(FILE_BYTES),
            version);
    check(name, start + FILE_NUMBER, "file number", fileNumber, footer.fileNumber);
    check(name, start + FILE_BYTES, "file length", fileBytes, footer.fileBytes);
    return footer;
  }

  /** Returns the file number that the bytes of a footer state, sound or not. */
  static long fileNumberIn(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getLong(FILE_NUMBER);
  }

  private static void check(String name, long offset, String field, long expected, long found)
      throws CorruptionException {
    if (expected != found) {
      throw new CorruptionException(
          name, offset, field + " " + Long.toHexString(expected), Long.toHexString(found));
    }
  }
}
