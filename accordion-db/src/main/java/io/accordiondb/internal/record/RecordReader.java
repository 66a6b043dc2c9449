// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a file in order and verifies everything that it reads. Not thread-safe.
 *
 * <p>The sound records end at the end of the file, at a write that a crash has torn, or at damage.
 * The last two differ in what follows: behind a tear there is no sound record. The caller decides
 * whether a tear is acceptable.
 *
 * <p>A {@linkplain RecordFileHeader#FILLED filled} file ends, for its reader, where nothing but
 * zeros follows.
 */
public final class RecordReader implements Closeable {
  private static final int WINDOW_BYTES = 256 << 10;
  private static final byte[] ZEROS = new byte[512];

  private final StorageReader file;
  private final String path;
  private final long fileBytes;

  /** Length of the file without the zeros at its end, when it was opened. */
  private final long contentBytes;

  /** Whether zeros at the end mean that there is no record, and not a torn one. */
  private boolean filled = true;

  private final CRC32C crc = new CRC32C();
  private final ByteBuffer recordHeader = ByteBuffer.allocate(RecordLayout.HEADER_AND_OWNER_BYTES);
  private ByteBuffer payload = ByteBuffer.allocate(0);
  private long offset = RecordLayout.FILE_HEADER_BYTES;

  /** What is wrong at the offset; null if nothing is. */
  private @Nullable String unsound;

  /** A part of the file, up to the limit. */
  private final ByteBuffer window;

  private long windowStart;

  private RecordReader(StorageReader file, String path, long fileNumber) throws IOException {
    this.file = file;
    this.path = path;
    this.fileBytes = file.size();
    this.window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, fileBytes)).limit(0);
    this.contentBytes = contentBytes(file, window, fileBytes);
    recordHeader.putLong(RecordLayout.OWNER_NUMBER, fileNumber);
  }

  /** Returns the length of what is in front of an end, but for the zeros that stand before it. */
  private static int withoutZeros(byte[] bytes, int end) {
    int content = end;
    // Most of a file that was allocated in advance is zeros, which are passed many at a time.
    while (content >= ZEROS.length
        && Arrays.equals(bytes, content - ZEROS.length, content, ZEROS, 0, ZEROS.length)) {
      content -= ZEROS.length;
    }
    while (content > 0 && bytes[content - 1] == 0) {
      content--;
    }
    return content;
  }

  /** A database that has the file open may cut off zeros at its end during the read. */
  private static long contentBytes(StorageReader file, ByteBuffer window, long fileBytes)
      throws IOException {
    long end = fileBytes;
    while (end > 0) {
      int bytes = (int) Math.min(window.capacity(), end);
      try {
        file.readFully(window.duplicate().clear().limit(bytes), end - bytes);
      } catch (EOFException e) {
        long shrunk = file.size();
        if (shrunk >= end) {
          throw e;
        }
        end = shrunk;
        continue;
      }
      window.limit(bytes);
      int content = withoutZeros(window.array(), bytes);
      window.limit(0);
      if (content > 0) {
        return end - bytes + content;
      }
      end -= bytes;
    }
    return 0;
  }

  /**
   * Opens a file and checks its header.
   *
   * @return null if the header was never completely written, because of a crash soon after the
   *     creation
   * @throws CorruptionException if the header is damaged, or is that of another file
   */
  public static @Nullable RecordReader open(Storage storage, String name, RecordFileHeader header)
      throws IOException {
    StorageReader file = storage.open(name);
    boolean opened = false;
    try {
      String path = storage.path(name);
      RecordReader reader = new RecordReader(file, path, header.fileNumber());
      if (reader.fileBytes < RecordFileHeader.BYTES) {
        return null;
      }
      ByteBuffer buffer = ByteBuffer.allocate(RecordFileHeader.BYTES);
      file.readFully(buffer, 0);
      if (!RecordFileHeader.isSound(buffer)
          && reader.soundRecordFrom(RecordLayout.FILE_HEADER_BYTES) < 0) {
        return null;
      }
      reader.filled = RecordFileHeader.isFilled(header.check(buffer, path));
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  /** Opens a file whatever its header holds. Each record states to which file it belongs. */
  public static RecordReader openUnchecked(Storage storage, String name, long fileNumber)
      throws IOException {
    StorageReader file = storage.open(name);
    boolean opened = false;
    try {
      RecordReader reader = new RecordReader(file, storage.path(name), fileNumber);
      reader.offset = Math.min(reader.offset, reader.fileBytes);
      if (reader.fileBytes >= RecordFileHeader.BYTES) {
        ByteBuffer buffer = ByteBuffer.allocate(RecordFileHeader.BYTES);
        file.readFully(buffer, 0);
        reader.filled =
            !RecordFileHeader.isSound(buffer)
                || RecordFileHeader.isFilled(buffer.getInt(RecordLayout.FILE_VERSION));
      }
      opened = true;
      return reader;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  /** Returns the path of the file, for messages. */
  public String path() {
    return path;
  }

  /** Moves to the next record; returns false where the sound ones end. */
  public boolean next() throws IOException {
    if (offset >= endBytes() || unsound != null) {
      return false;
    }
    unsound = readRecord(offset);
    if (unsound != null) {
      return false;
    }
    offset += RecordLayout.HEADER_BYTES + payloadBytes();
    return true;
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

  /** Returns where the current record begins. */
  public long start() {
    return offset - RecordLayout.HEADER_BYTES - payloadBytes();
  }

  /** Returns where the current record ends. */
  public long soundBytes() {
    return offset;
  }

  /** Returns the length of the file, without the zeros with which it was filled. */
  public long fileBytes() {
    return Math.max(offset, endBytes());
  }

  /** Returns whether a loss of power may have left sound records behind unsound ones. */
  public boolean isFilled() {
    return filled;
  }

  /**
   * Call this only after {@link #next} has returned false. It returns how many bytes a tear has
   * left behind the sound records; 0 when the file ends with a whole record.
   *
   * @throws CorruptionException if a sound record follows, so that this is no tear
   */
  public long tornBytes() throws IOException {
    if (unsound == null) {
      return 0;
    }
    long later = soundRecordFrom(offsetAfterUnsound());
    if (later >= 0) {
      throw new CorruptionException(
          path, offset, "a record, as another one follows at offset " + later, unsound);
    }
    return fileBytes() - offset;
  }

  /**
   * Call this only after {@link #next} has returned false. It moves before the next sound record,
   * so that {@link #next} finds it; returns how many bytes it has passed, 0 at the end of the file.
   */
  public long skipUnsound() throws IOException {
    if (unsound == null) {
      return 0;
    }
    long begun = offset;
    long sound = soundRecordFrom(offsetAfterUnsound());
    offset = sound < 0 ? fileBytes() : sound;
    unsound = null;
    return offset - begun;
  }

  /** Returns the error that says where the file is torn, for callers that do not accept that. */
  public CorruptionException tornException() {
    return new CorruptionException(
        path, offset, "a record", unsound == null ? "the end of the file" : unsound);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

  private long endBytes() {
    return filled ? contentBytes : fileBytes;
  }

  private int payloadBytes() {
    return recordHeader.getInt(RecordLayout.PAYLOAD_BYTES);
  }

  /**
   * Returns the offset from which another record may follow the unsound one. If the header of the
   * unsound record is sound, that is the end of the record, because its payload may hold bytes that
   * look like a record.
   */
  private long offsetAfterUnsound() throws IOException {
    return hasSoundHeader(offset)
        ? offset + RecordLayout.HEADER_BYTES + Math.max(0, payloadBytes())
        : offset + 1;
  }

  /**
   * Returns the offset of the first sound record at or behind an offset; -1 for none. It passes a
   * payload that belongs to a sound header as a whole, so it reads no byte many times.
   */
  private long soundRecordFrom(long from) throws IOException {
    for (long at = from; at + RecordLayout.HEADER_BYTES <= fileBytes && at < contentBytes; ) {
      if (!hasSoundHeader(at)) {
        at++;
      } else if (readRecord(at) == null) {
        return at;
      } else {
        long end = at + RecordLayout.HEADER_BYTES + payloadBytes();
        at = payloadBytes() >= 0 && end <= fileBytes ? end : at + 1;
      }
    }
    return -1;
  }

  /** Reads the record at an offset; returns what is wrong with it, or null. */
  private @Nullable String readRecord(long at) throws IOException {
    long available = fileBytes - at - RecordLayout.HEADER_BYTES;
    if (available < 0) {
      return "the first " + (fileBytes - at) + " bytes of a record";
    }
    if (!hasSoundHeader(at)) {
      return "a record's header of another checksum";
    }
    int bytes = payloadBytes();
    if (bytes < 0 || bytes > RecordLayout.PAYLOAD_BYTES_MAX || count() < 0) {
      return "a record of " + bytes + " bytes and " + count() + " sequence numbers";
    }
    if (bytes > available) {
      return "a record of " + bytes + " bytes of which " + available + " are there";
    }
    if (payload.capacity() < bytes) {
      payload = ByteBuffer.allocate(bytes);
    }
    payload.clear().limit(bytes);
    read(at + RecordLayout.HEADER_BYTES, payload, bytes);
    crc.reset();
    crc.update(payload.array(), 0, bytes);
    return RecordLayout.mask((int) crc.getValue()) == recordHeader.getInt(RecordLayout.PAYLOAD_CRC)
        ? null
        : "a record's payload of another checksum";
  }

  private boolean hasSoundHeader(long at) throws IOException {
    if (fileBytes - at < RecordLayout.HEADER_BYTES) {
      return false;
    }
    read(at, recordHeader, RecordLayout.HEADER_BYTES);
    return recordHeader.getInt(RecordLayout.HEADER_CRC)
        == RecordLayout.headerCrc(crc, recordHeader.array());
  }

  /** Fills a buffer from the file, through a window that makes small steps forward cheap. */
  private void read(long at, ByteBuffer target, int bytes) throws IOException {
    if (bytes > window.capacity()) {
      file.readFully(target, at);
      target.rewind();
      return;
    }
    if (at < windowStart || at + bytes > windowStart + window.limit()) {
      long ahead = Math.min(window.capacity(), contentBytes - at);
      int windowBytes = (int) Math.max(bytes, ahead);
      window.limit(0);
      file.readFully(window.duplicate().clear().limit(windowBytes), at);
      window.limit(windowBytes);
      windowStart = at;
    }
    target.put(0, window, (int) (at - windowStart), bytes);
  }
}
