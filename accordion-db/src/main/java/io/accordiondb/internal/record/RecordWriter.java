// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.internal.storage.PageFaultException;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a file. Not thread-safe, except for {@link #force}.
 *
 * <p>Records gather in a buffer until {@link #flush} or until it is full. After any throwable has
 * ended an append, a flush or a sync early, every later call fails with the first cause, because
 * what the file and the buffer hold behind the last success is unknown. The exception is a file
 * that has accepted a known part of the buffer: {@link #resume} continues behind that part.
 */
public final class RecordWriter implements Closeable {
  /** The bytes of the buffer in which records gather. */
  public static final int BUFFER_BYTES = 64 << 10;

  /** Most bytes of the payload of a record. */
  public static final int PAYLOAD_BYTES_MAX = RecordLayout.PAYLOAD_BYTES_MAX;

  private final StorageWriter file;
  private final ByteBuffer buffer;
  private final ByteBuffer recordHeader = ByteBuffer.allocate(RecordLayout.HEADER_AND_OWNER_BYTES);
  private final CRC32C crc = new CRC32C();
  private volatile @Nullable Throwable failure;
  private volatile @Nullable Throwable syncFailure;
  private volatile boolean closed;
  private volatile long flushedBytes;
  private volatile long durableBytes;

  /** Starts an empty file with its header. This object owns the file. */
  public RecordWriter(StorageWriter file, RecordFileHeader header) {
    this(file, header, ByteBuffer.allocateDirect(BUFFER_BYTES));
  }

  /** Same as above, with an empty buffer of {@link #BUFFER_BYTES}, which this object owns. */
  public RecordWriter(StorageWriter file, RecordFileHeader header, ByteBuffer buffer) {
    this.file = file;
    this.buffer = buffer;
    recordHeader.putLong(RecordLayout.OWNER_NUMBER, header.fileNumber());
    buffer.put(header.encode());
  }

  /**
   * Appends a record.
   *
   * @param payload the bytes from 0 to the limit, at most {@link #PAYLOAD_BYTES_MAX}; position and
   *     limit stay
   * @param payloadCrc CRC32C of the payload, not masked
   * @param firstSequence first of the record's sequence numbers
   * @param count how many sequence numbers the record has; not negative
   */
  public void append(ByteBuffer payload, int payloadCrc, long firstSequence, int count)
      throws IOException {
    checkAlive();
    int payloadBytes = payload.limit();
    if (payloadBytes > RecordLayout.PAYLOAD_BYTES_MAX || count < 0) {
      throw new IllegalArgumentException(
          "a record of " + payloadBytes + " bytes and " + count + " sequence numbers");
    }
    recordHeader.putInt(RecordLayout.PAYLOAD_CRC, RecordLayout.mask(payloadCrc));
    recordHeader.putInt(RecordLayout.PAYLOAD_BYTES, payloadBytes);
    recordHeader.putInt(RecordLayout.COUNT, count);
    recordHeader.putLong(RecordLayout.FIRST_SEQUENCE, firstSequence);
    recordHeader.putInt(RecordLayout.HEADER_CRC, RecordLayout.headerCrc(crc, recordHeader.array()));
    try {
      put(recordHeader, RecordLayout.HEADER_BYTES);
      put(payload, payloadBytes);
    } catch (Throwable e) {
      // The buffer holds a part of the record.
      fail(e);
      throw e;
    }
  }

  /** Hands all records to the operating system. */
  public void flush() throws IOException {
    checkAlive();
    if (buffer.position() == 0) {
      return;
    }
    long taken = file.position();
    try {
      file.append(buffer.flip());
      buffer.clear();
      flushedBytes = file.position();
    } catch (Throwable e) {
      buffer.position((int) (file.position() - taken)).compact();
      fail(e);
      throw e;
    }
  }

  private void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
  }

  /** Returns whether file and buffer together hold all that was appended, in spite of a failure. */
  private static boolean mayPass(@Nullable Throwable failure) {
    return failure instanceof IOException && !(failure instanceof PageFaultException);
  }

  /**
   * Continues after a failure: discards the records behind a length, hands the rest to the
   * operating system, and accepts records again. The discarded bytes may nevertheless be in the
   * file.
   *
   * @param bytes at most {@link #bytes}
   * @throws IOException if that fails again, or if it is unknown what the file holds
   */
  public void resume(long bytes) throws IOException {
    if (!isSuspended()) {
      checkAlive();
    }
    buffer.position((int) Math.max(0, bytes - file.position()));
    failure = null;
    flush();
  }

  /** Returns whether an append or a flush has failed and {@link #resume} may succeed later. */
  public boolean isSuspended() {
    return mayPass(failure) && syncFailure == null;
  }

  /** Forces all records to the device. */
  public void sync() throws IOException {
    flush();
    force();
  }

  /**
   * Forces flushed records to the device; does nothing if the file is closed. May run at the same
   * time as appends and flushes.
   */
  public void force() throws IOException {
    if (closed) {
      return;
    }
    // Read once, because the writer may fail or resume meanwhile.
    Throwable earlier = failure;
    if (syncFailure != null || (earlier != null && !mayPass(earlier))) {
      checkAlive();
    }
    long bytes = flushedBytes;
    try {
      file.sync();
      durableBytes = bytes;
    } catch (ClosedChannelException e) {
      if (!closed) {
        syncFailure = e;
        throw e;
      }
      // It was closed just now, as if this call had come later.
    } catch (Throwable e) {
      syncFailure = e;
      throw e;
    }
  }

  /** Returns the length in bytes that the file has, or will have after the next flush. */
  public long bytes() {
    return file.position() + buffer.position();
  }

  /**
   * Returns {@link #bytes} as they will be after two more records with payloads of these lengths.
   */
  public long bytesWith(int payloadBytes, int nextPayloadBytes) {
    return bytes() + 2 * RecordLayout.HEADER_BYTES + payloadBytes + nextPayloadBytes;
  }

  /**
   * Returns the length up to which the file was forced to the device by the last successful force.
   */
  public long durableBytes() {
    return durableBytes;
  }

  /** Closes the file without flushing. */
  @Override
  public void close() throws IOException {
    closed = true;
    file.close();
  }

  private void put(ByteBuffer source, int bytes) throws IOException {
    int done = 0;
    while (done < bytes) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int piece = Math.min(bytes - done, buffer.remaining());
      buffer.put(buffer.position(), source, done, piece);
      buffer.position(buffer.position() + piece);
      done += piece;
    }
  }

  private void checkAlive() throws IOException {
    Throwable first = syncFailure == null ? failure : syncFailure;
    if (first != null) {
      throw new IOException("an earlier write of this file has failed", first);
    }
  }
}
