// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.record.RecordWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a log file says of the files before it. Immutable.
 *
 * <p>A link is a record without sequence numbers. Each file begins with one. Another one follows
 * when the files before have been forced to the device while the file was being written. In a
 * {@linkplain RecordFileHeader#FILLED filled} file another one follows, too, when what stands
 * before it has been forced to the device: a loss of power may leave any part of such a file
 * unwritten, so that only this tells what must be there.
 *
 * @param previousNumber number of the file before this one; 0 for none
 * @param previousBytes the length that the file before was given
 * @param previousSequence the last sequence number before this file
 * @param durableNumber all files up to this number were wholly on the device when the link was
 *     written, so that what is missing from them was not lost by a crash
 * @param durableBytes this file up to this length was; 0 in a file that grows, where it is not said
 */
record LogLink(
    long previousNumber,
    long previousBytes,
    long previousSequence,
    long durableNumber,
    long durableBytes) {
  private static final int GROWING_BYTES = 4 * Long.BYTES;
  private static final int FILLED_BYTES = 5 * Long.BYTES;

  /**
   * Appends the link.
   *
   * @param version of the file
   */
  void appendTo(RecordWriter writer, int version) throws IOException {
    ByteBuffer payload =
        ByteBuffer.allocate(version == RecordFileHeader.FILLED ? FILLED_BYTES : GROWING_BYTES)
            .putLong(0, previousNumber)
            .putLong(Long.BYTES, previousBytes)
            .putLong(2 * Long.BYTES, previousSequence)
            .putLong(3 * Long.BYTES, durableNumber);
    if (version == RecordFileHeader.FILLED) {
      payload.putLong(4 * Long.BYTES, durableBytes);
    }
    CRC32C crc = new CRC32C();
    crc.update(payload.array());
    writer.append(payload, (int) crc.getValue(), previousSequence, 0);
  }

  /** Returns the link that a reader stands on; null if it stands on another record. */
  static @Nullable LogLink current(RecordReader reader) throws CorruptionException {
    if (reader.count() != 0) {
      return null;
    }
    ByteBuffer payload = reader.payload();
    if (payload.limit() != GROWING_BYTES && payload.limit() != FILLED_BYTES) {
      throw new CorruptionException(
          reader.path(),
          reader.soundBytes() - payload.limit(),
          "a link of " + GROWING_BYTES + " or " + FILLED_BYTES + " bytes",
          payload.limit() + " bytes");
    }
    for (int at = 0; at < payload.limit(); at += Long.BYTES) {
      if (payload.getLong(at) < 0) {
        throw new CorruptionException(
            reader.path(),
            reader.soundBytes() - payload.limit() + at,
            "a number, length or sequence number",
            Long.toString(payload.getLong(at)));
      }
    }
    return new LogLink(
        payload.getLong(0),
        payload.getLong(Long.BYTES),
        payload.getLong(2 * Long.BYTES),
        payload.getLong(3 * Long.BYTES),
        payload.limit() == FILLED_BYTES ? payload.getLong(4 * Long.BYTES) : 0);
  }

  LogLink withDurable(long fileNumber) {
    return new LogLink(previousNumber, previousBytes, previousSequence, fileNumber, durableBytes);
  }

  LogLink withDurableBytes(long bytes) {
    return new LogLink(previousNumber, previousBytes, previousSequence, durableNumber, bytes);
  }
}
