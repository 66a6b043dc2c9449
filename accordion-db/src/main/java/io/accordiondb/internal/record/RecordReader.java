// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file in order, trusting nothing. Not thread-safe.
 *
 * <p>Where a record is not sound, the file either was cut there, by a crash in the middle of a
 * write, or it is damaged. It counts as cut if no sound record follows anywhere behind. The caller
 * decides whether a cut is acceptable.
 */
public final class RecordReader implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;

  private final StorageReader file;
  private final String path;
  private final RecordFileHeader header;
  private final long fileBytes;
  private final ByteBuffer recordHeader = ByteBuffer.allocate(RecordLayout.HEADER_BYTES);
  private long offset = RecordLayout.FILE_HEADER_BYTES;
  private ByteBuffer payload = ByteBuffer.allocate(0);
  private @Nullable String unsound;

  private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES).limit(0);
  private long windowStart;

  private RecordReader(StorageReader file, String path, RecordFileHeader header, long fileBytes) {
    this.file = file;
    this.path = path;
    this.header = header;
    this.fileBytes = fileBytes;
  }

  /**
   * Opens a file and checks its header.
   *
   * @return null when the file is shorter than a header, as a crash right after its creation leaves
   *     it
   */
  public static @Nullable RecordReader open(
      Storage storage, String name, long magic, long fileNumber) throws IOException {
    StorageReader file = storage.open(name);
    boolean opened = false;
    try {
      long bytes = file.size();
      if (bytes < RecordFileHeader.BYTES) {
        return null;
      }
      ByteBuffer buffer = ByteBuffer.allocate(RecordFileHeader.BYTES);
      file.readFully(buffer, 0);
      RecordFileHeader header =
          RecordFileHeader.decode(buffer, storage.path(name), magic, fileNumber);
      opened = true;
      return new RecordReader(file, storage.path(name), header, bytes);
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  /** Returns the header of the file. */
  public RecordFileHeader header() {
    return header;
  }

  /** Returns the path of the file, for messages. */
  public String path() {
    return path;
  }

  /** Moves to the next record; returns false at the end of the sound ones. */
  public boolean next() throws IOException {
    if (offset == fileBytes || unsound != null) {
      return false;
    }
    unsound = readRecord(offset);
    if (unsound != null) {
      return false;
    }
    offset += RecordLayout.HEADER_BYTES + payload.limit();
    return true;
  }

  /** Returns the payload of the current record, from 0 to the limit; valid until the next call. */
  public ByteBuffer payload() {
    return payload;
  }

  /** Returns the first sequence number of the current record. */
  public long firstSequence() {
    return recordHeader.getLong(RecordLayout.FIRST_SEQUENCE);
  }

  /** Returns how many sequence numbers the current record has. */
  public int count() {
    return recordHeader.getInt(RecordLayout.COUNT);
  }

  /** Returns where the sound records end. */
  public long soundBytes() {
    return offset;
  }

  /** Returns the length of the file. */
  public long fileBytes() {
    return fileBytes;
  }

  /**
   * To be called when {@link #next} has returned false: returns whether bytes follow that are the
   * cut remains of a record.
   *
   * @throws CorruptionException if a sound record follows the unsound bytes
   */
  public boolean isCut() throws IOException {
    if (unsound == null) {
      return false;
    }
    String problem = unsound;
    for (long at = offset + 1; at + RecordLayout.HEADER_BYTES <= fileBytes; at++) {
      if (readRecord(at) == null) {
        throw new CorruptionException(
            path, offset, "a record, as one follows at offset " + at, problem);
      }
    }
    return true;
  }

  /** Returns the error that says that the file is cut, for who does not accept that. */
  public CorruptionException cutException() {
    return new CorruptionException(path, offset, "a record", String.valueOf(unsound));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  /** Reads the record at an offset; returns what is wrong with it, or null. */
  private @Nullable String readRecord(long at) throws IOException {
    long available = fileBytes - at - RecordLayout.HEADER_BYTES;
    if (available < 0) {
      return "only " + (fileBytes - at) + " bytes of a header";
    }
    read(at, recordHeader);
    int crc = recordHeader.getInt(RecordLayout.HEADER_CRC);
    if (crc != RecordLayout.headerCrc(recordHeader, 0, header.fileNumber())) {
      return "a header of another checksum";
    }
    int bytes = recordHeader.getInt(RecordLayout.PAYLOAD_BYTES);
    if (bytes < 0 || bytes > RecordLayout.PAYLOAD_BYTES_MAX || bytes > available) {
      return "a payload of " + bytes + " bytes where " + available + " are left";
    }
    if (recordHeader.getInt(RecordLayout.COUNT) < 1) {
      return "a record without sequence numbers";
    }
    if (payload.capacity() < bytes) {
      payload = ByteBuffer.allocate(bytes);
    }
    payload.clear().limit(bytes);
    read(at + RecordLayout.HEADER_BYTES, payload);
    payload.position(0);
    int payloadCrc = RecordLayout.mask(RecordLayout.crcOf(payload, 0, bytes));
    return payloadCrc == recordHeader.getInt(RecordLayout.PAYLOAD_CRC)
        ? null
        : "a payload of another checksum";
  }

  /** Fills a buffer from the file, through a window that makes small steps forward cheap. */
  private void read(long at, ByteBuffer target) throws IOException {
    int bytes = target.limit();
    if (bytes > WINDOW_BYTES) {
      file.readFully(target.position(0), at);
      return;
    }
    if (at < windowStart || at + bytes > windowStart + window.limit()) {
      window.clear().limit((int) Math.min(WINDOW_BYTES, fileBytes - at));
      file.readFully(window, at);
      windowStart = at;
    }
    target.put(0, window, (int) (at - windowStart), bytes);
  }
}
