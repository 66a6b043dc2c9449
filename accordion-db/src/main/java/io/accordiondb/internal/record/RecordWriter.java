// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.internal.storage.StorageWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a file. Not thread-safe.
 *
 * <p>Records gather in a buffer until {@link #flush} or until it is full. After a write or a sync
 * has failed, the writer fails for ever: nobody knows what the file holds behind the last success.
 */
public final class RecordWriter implements Closeable {
  private static final int BUFFER_BYTES = 256 << 10;

  private final StorageWriter file;
  private final RecordFileHeader header;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer recordHeader = ByteBuffer.allocate(RecordLayout.HEADER_BYTES);
  private long lastSequence;
  private @Nullable IOException failure;

  /** Begins a file with its header; takes the file over. */
  public RecordWriter(StorageWriter file, RecordFileHeader header) {
    this.file = file;
    this.header = header;
    this.lastSequence = header.previousSequence();
    buffer.put(header.encode());
  }

  /**
   * Appends a record.
   *
   * @param payload the bytes from 0 to the limit; position and limit stay
   * @param payloadCrc CRC32C of the payload
   * @param count how many sequence numbers the record has, from the first on; at least 1
   */
  public void append(ByteBuffer payload, int payloadCrc, long firstSequence, int count)
      throws IOException {
    checkAlive();
    int payloadBytes = payload.limit();
    recordHeader.putInt(RecordLayout.PAYLOAD_CRC, RecordLayout.mask(payloadCrc));
    recordHeader.putInt(RecordLayout.PAYLOAD_BYTES, payloadBytes);
    recordHeader.putInt(RecordLayout.COUNT, count);
    recordHeader.putLong(RecordLayout.FIRST_SEQUENCE, firstSequence);
    recordHeader.putInt(
        RecordLayout.HEADER_CRC, RecordLayout.headerCrc(recordHeader, 0, header.fileNumber()));
    if (buffer.remaining() < RecordLayout.HEADER_BYTES + payloadBytes) {
      flush();
    }
    buffer.put(recordHeader.clear());
    if (buffer.remaining() >= payloadBytes) {
      buffer.put(buffer.position(), payload, 0, payloadBytes);
      buffer.position(buffer.position() + payloadBytes);
    } else {
      flush();
      write(payload.duplicate().position(0));
    }
    lastSequence = firstSequence + count - 1;
  }

  /** Hands all records to the operating system. */
  public void flush() throws IOException {
    checkAlive();
    if (buffer.position() > 0) {
      write(buffer.flip());
      buffer.clear();
    }
  }

  /** Forces all records to the device. */
  public void sync() throws IOException {
    flush();
    try {
      file.sync();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  /** Returns the length that the file has or will have after the next flush. */
  public long bytes() {
    return file.position() + buffer.position();
  }

  /** Returns the number of the file. */
  public long fileNumber() {
    return header.fileNumber();
  }

  /** Returns the last sequence number appended here or, before that, to the file before. */
  public long lastSequence() {
    return lastSequence;
  }

  /** Closes the file without flushing. */
  @Override
  public void close() throws IOException {
    file.close();
  }

  private void write(ByteBuffer bytes) throws IOException {
    try {
      file.append(bytes);
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  private void checkAlive() throws IOException {
    if (failure != null) {
      throw new IOException("an earlier write of this file has failed", failure);
    }
  }
}
