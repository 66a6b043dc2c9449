// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that is appended to by storing into a mapping of its next bytes. Thread-safe.
 *
 * <p>Each piece of the file is written with zeros before it is mapped, so that the file system has
 * room for it: a full disk fails that write and not, as a signal, a store. What the device refuses
 * nevertheless shows as an {@link InternalError}, which is told as a failed append. Syncs are those
 * of the file: where this class is used, Linux and macOS, they cover what was stored in mappings.
 */
final class MappedFile implements StorageWriter {
  private static final int PIECE_BYTES = 1 << 20;

  /**
   * What pieces are filled with: as much as stays in the processor's cache, and outside of the
   * heap, where an array for each piece would be a humongous object, which makes G1 mark the whole
   * heap.
   */
  private static final ByteBuffer ZEROS =
      ByteBuffer.allocateDirect(PIECE_BYTES / 16).asReadOnlyBuffer();

  private final Path path;
  private final PositionalFile file;

  // Guarded by this.
  private @Nullable MappedByteBuffer piece;
  private long pieceStart;
  private boolean closed;

  private volatile long position;

  /** Takes over a file that is empty. */
  MappedFile(Path path, PositionalFile file) {
    this.path = path;
    this.file = file;
  }

  @Override
  public synchronized void append(ByteBuffer... buffers) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining()) {
        append(buffer);
      }
    }
  }

  private void append(ByteBuffer buffer) throws IOException {
    MappedByteBuffer target = piece;
    if (target == null || position == pieceStart + PIECE_BYTES) {
      target = mapNext();
    }
    int at = (int) (position - pieceStart);
    int bytes = Math.min(buffer.remaining(), PIECE_BYTES - at);
    try {
      target.put(at, buffer, buffer.position(), bytes);
    } catch (InternalError e) {
      throw new IOException(path + " cannot be written at offset " + position, e);
    }
    buffer.position(buffer.position() + bytes);
    position = pieceStart + at + bytes;
  }

  private MappedByteBuffer mapNext() throws IOException {
    unmap();
    int filled = 0;
    while (filled < PIECE_BYTES) {
      ByteBuffer zeros = ZEROS.duplicate().limit(Math.min(ZEROS.capacity(), PIECE_BYTES - filled));
      filled += file.write(zeros, position + filled);
    }
    pieceStart = position;
    MappedByteBuffer mapped = map(position);
    piece = mapped;
    return mapped;
  }

  /** Maps a piece; an interrupt of the thread, which would close the channel, is put off. */
  private MappedByteBuffer map(long start) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          return channel.map(MapMode.READ_WRITE, start, PIECE_BYTES);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void unmap() {
    MappedByteBuffer mapped = piece;
    piece = null;
    if (mapped != null) {
      Unmapping.unmap(mapped);
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    file.forceData();
  }

  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    unmap();
    try {
      file.truncate(position);
    } finally {
      file.close();
    }
  }
}
