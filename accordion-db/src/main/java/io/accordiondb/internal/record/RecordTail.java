// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads the records of a file from a given record on, even while the file is being written: if
 * there is no complete record yet, a later call may find one. Belongs to one thread.
 */
public final class RecordTail implements Closeable {
  private final StorageReader file;
  private final String path;
  private final CRC32C crc = new CRC32C();
  private final ByteBuffer recordHeader = ByteBuffer.allocate(RecordLayout.HEADER_AND_OWNER_BYTES);
  private ByteBuffer payload = ByteBuffer.allocate(0);
  private long start;
  private long end;

  private RecordTail(StorageReader file, String path, long fileNumber, long offset) {
    this.file = file;
    this.path = path;
    this.start = offset;
    this.end = offset;
    recordHeader.putLong(RecordLayout.OWNER_NUMBER, fileNumber);
  }

  /**
   * Opens a file.
   *
   * @param offset where a record begins; 0 for the first one
   */
  public static RecordTail open(Storage storage, String name, long fileNumber, long offset)
      throws IOException {
    StorageReader file = storage.open(name);
    RecordTail tail = null;
    try {
      long start = Math.max(offset, RecordLayout.FILE_HEADER_BYTES);
      tail = new RecordTail(file, storage.path(name), fileNumber, start);
      return tail;
    } finally {
      if (tail == null) {
        file.close();
      }
    }
  }

  /** Returns whether the header of the file was written. */
  public boolean hasHeader() throws IOException {
    return file.size() >= RecordLayout.FILE_HEADER_BYTES;
  }

  /**
   * Checks the header of a file that has one.
   *
   * @throws CorruptionException if it is damaged, or is that of another file
   * @throws FormatVersionException if a newer version of this software has written the file
   */
  public void checkHeader(RecordFileHeader header) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(RecordFileHeader.BYTES);
    file.readFully(buffer, 0);
    int unused = header.check(buffer, path);
  }

  /**
   * Moves to the next record. Returns false if there is no complete one yet; then this object has
   * no current record.
   */
  public boolean next() throws IOException {
    try {
      return read();
    } catch (EOFException e) {
      // Zeros at the end of the file were cut off just now.
      return false;
    }
  }

  private boolean read() throws IOException {
    long bytesBehind = file.size() - end - RecordLayout.HEADER_BYTES;
    if (bytesBehind < 0) {
      return false;
    }
    file.readFully(recordHeader.duplicate().clear().limit(RecordLayout.HEADER_BYTES), end);
    int bytes = recordHeader.getInt(RecordLayout.PAYLOAD_BYTES);
    if (recordHeader.getInt(RecordLayout.HEADER_CRC)
            != RecordLayout.headerCrc(crc, recordHeader.array())
        || bytes < 0
        || bytes > Math.min(bytesBehind, RecordLayout.PAYLOAD_BYTES_MAX)
        || count() < 0) {
      return false;
    }
    if (payload.capacity() < bytes) {
      payload = ByteBuffer.allocate(bytes);
    }
    payload.clear().limit(bytes);
    file.readFully(payload, end + RecordLayout.HEADER_BYTES);
    payload.rewind();
    if (!isSound()) {
      return false;
    }
    start = end;
    end += RecordLayout.HEADER_BYTES + bytes;
    return true;
  }

  private boolean isSound() {
    crc.reset();
    crc.update(payload.array(), 0, payload.limit());
    return RecordLayout.mask((int) crc.getValue()) == checksum();
  }

  /** Returns the path of the file, for messages. */
  public String path() {
    return path;
  }

  /** Returns the payload of the current record, from 0 to the limit; valid until the next call. */
  public ByteBuffer payload() {
    return payload;
  }

  /** Returns the number of the file. */
  public long fileNumber() {
    return recordHeader.getLong(RecordLayout.OWNER_NUMBER);
  }

  /** Returns the first sequence number of the current record. */
  public long firstSequence() {
    return recordHeader.getLong(RecordLayout.FIRST_SEQUENCE);
  }

  /** Returns how many sequence numbers the current record has. */
  public int count() {
    return recordHeader.getInt(RecordLayout.COUNT);
  }

  /** Returns the masked checksum of the current record's payload. */
  public int checksum() {
    return recordHeader.getInt(RecordLayout.PAYLOAD_CRC);
  }

  /** Returns where the current record begins. */
  public long start() {
    return start;
  }

  /** Returns where the current record ends, or where the first one will begin. */
  public long end() {
    return end;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
