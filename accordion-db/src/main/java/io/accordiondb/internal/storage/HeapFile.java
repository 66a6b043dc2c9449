// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.EOFException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;

/**
 * The bytes of a file in the heap. Thread-safe; reads take no lock and see all that was appended
 * before they began.
 *
 * <p>The bytes are stored in pieces of {@value #PIECE_BYTES}, so that a growing file is not copied.
 * Only the first piece starts smaller and is replaced by larger ones, because most files of an
 * empty database hold a few hundred bytes.
 *
 * <p>Publication: an appender writes bytes and pieces plainly, then the length, which is volatile.
 * A reader reads the length first and touches no byte behind it. A piece is never replaced in an
 * array that readers may have; its array is replaced as well.
 */
final class HeapFile {
  private static final int PIECE_SHIFT = 16;
  private static final int PIECE_BYTES = 1 << PIECE_SHIFT;
  private static final int OFFSET_MASK = PIECE_BYTES - 1;
  private static final int FIRST_PIECE_BYTES_MIN = 1 << 10;
  private static final byte[][] NONE = {};

  private final String path;

  @GuardedBy("this")
  private boolean freed;

  /** The pieces that hold the bytes; null where nothing has been written. */
  private volatile byte[][] pieces = NONE;

  private volatile long length;

  /** Creates an empty file whose messages name a path. */
  HeapFile(String path) {
    this.path = path;
  }

  long length() {
    return length;
  }

  /** Frees the bytes. Later reads and appends fail. */
  synchronized void free() {
    freed = true;
    pieces = NONE;
  }

  private synchronized void append(ByteBuffer buffer) throws ClosedChannelException {
    if (freed) {
      throw new ClosedChannelException();
    }
    long end = length;
    while (buffer.hasRemaining()) {
      int index = (int) (end >> PIECE_SHIFT);
      int offset = (int) end & OFFSET_MASK;
      byte[] piece = pieceFor(index, offset, buffer.remaining());
      int count = Math.min(buffer.remaining(), piece.length - offset);
      buffer.get(piece, offset, count);
      end += count;
    }
    length = end;
  }

  /** Returns a piece that has room behind an offset. */
  @GuardedBy("this")
  private byte[] pieceFor(int index, int offset, int bytes) {
    byte[][] present = pieces;
    if (index == present.length) {
      present = Arrays.copyOf(present, Math.max(1, 2 * index));
      pieces = present;
    }
    byte[] piece = present[index];
    if (piece != null && offset < piece.length) {
      return piece;
    }
    int size = PIECE_BYTES;
    if (index == 0) {
      int wanted = Math.max(FIRST_PIECE_BYTES_MIN, 2 * Math.min(PIECE_BYTES, offset + bytes));
      size = Math.min(PIECE_BYTES, wanted);
    }
    byte[] larger = piece == null ? new byte[size] : Arrays.copyOf(piece, size);
    if (piece != null) {
      present = present.clone();
    }
    present[index] = larger;
    pieces = present;
    return larger;
  }

  private void read(ByteBuffer target, long position) throws EOFException, ClosedChannelException {
    long end = length;
    byte[][] present = pieces;
    if (present.length == 0 && end > 0) {
      throw new ClosedChannelException();
    }
    if (target.remaining() > end - position) {
      throw new EOFException(path + " ends at offset " + end);
    }
    long at = position;
    while (target.hasRemaining()) {
      byte[] piece = present[(int) (at >> PIECE_SHIFT)];
      int offset = (int) at & OFFSET_MASK;
      int count = Math.min(target.remaining(), piece.length - offset);
      target.put(piece, offset, count);
      at += count;
    }
  }

  /** Returns a writer that appends to the file. */
  StorageWriter writer() {
    return new Writer();
  }

  /** Returns a reader of the file, which works even after the file was deleted. */
  StorageReader reader() {
    return new Reader();
  }

  private final class Writer implements StorageWriter {
    private volatile boolean closed;

    @Override
    public void append(ByteBuffer... buffers) throws ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
      for (ByteBuffer buffer : buffers) {
        HeapFile.this.append(buffer);
      }
    }

    @Override
    public long position() {
      return length;
    }

    @Override
    public void sync() {}

    @Override
    public void close() {
      closed = true;
    }
  }

  private final class Reader implements StorageReader {
    private volatile boolean closed;

    @Override
    public boolean isInMemory() {
      return true;
    }

    @Override
    public long size() {
      return length;
    }

    @Override
    public void readFully(ByteBuffer target, long position)
        throws EOFException, ClosedChannelException {
      if (closed) {
        throw new ClosedChannelException();
      }
      read(target, position);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
