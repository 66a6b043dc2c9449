// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a file that no longer changes by copying from mappings of it. Thread-safe except for {@link
 * #close}: the caller of close must make sure that no thread is reading.
 *
 * <p>If the device cannot read a page, the copy leaves its target unchanged, and the JVM reports it
 * by an {@link InternalError} at any later time, perhaps long after the copy. So the reader writes
 * a mark for each page into the target before the copy. If a mark is still there afterwards, it
 * copies a few bytes again over their complements: bytes that then differ were not read.
 */
final class MappedReader implements StorageReader {
  /**
   * A multiple of the size of a page. The last mapping is up to twice as long; the JDK wraps at
   * most 2 GiB less 8 bytes of an arena's segment as a buffer.
   */
  static final int PIECE_BYTES = 1 << 29;

  /** A number with which few pages begin. */
  static final long MARK = 0xA3C5_9AC2_F1B7_64D9L;

  /** Shorter files are not mapped. */
  static final int FILE_BYTES_MIN = MappedPages.PAGE_BYTES;

  private final Path path;
  private final long size;
  private final int pieceBytes;
  private final Mapping[] pieces;
  private volatile boolean closed;

  private MappedReader(Path path, FileChannel channel, int pieceBytes) throws IOException {
    this.path = path;
    this.size = channel.size();
    this.pieceBytes = pieceBytes;
    pieces = new Mapping[Math.max(1, (int) (size / pieceBytes))];
    boolean mapped = false;
    try {
      for (int i = 0; i < pieces.length; i++) {
        long start = (long) i * pieceBytes;
        long end = i + 1 < pieces.length ? start + pieceBytes : size;
        pieces[i] = Mapping.map(channel, MapMode.READ_ONLY, start, end - start);
      }
      mapped = true;
    } finally {
      if (!mapped) {
        close();
      }
    }
  }

  /** Maps a file of {@link #FILE_BYTES_MIN} or more. */
  static MappedReader open(Path path, int pieceBytes) throws IOException {
    return MappedPages.map(
        path,
        Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS),
        channel -> new MappedReader(path, channel, pieceBytes));
  }

  @Override
  public boolean isInMemory() {
    return true;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    if (target.remaining() > size - position) {
      throw new EOFException(
          path
              + " ends at offset "
              + size
              + ", expected "
              + target.remaining()
              + " from "
              + position);
    }
    long from = position;
    while (target.hasRemaining()) {
      int number = (int) Math.min(from / pieceBytes, pieces.length - 1);
      ByteBuffer piece = pieces[number].bytes();
      int at = (int) (from - (long) number * pieceBytes);
      int bytes = Math.min(target.remaining(), piece.capacity() - at);
      try {
        mark(target, at, bytes);
        target.put(target.position(), piece, at, bytes);
        checkRead(piece, at, target, bytes);
      } catch (InternalError e) {
        throw new IOException(path + " cannot be read at offset " + from, e);
      }
      target.position(target.position() + bytes);
      from += bytes;
    }
  }

  /** Puts a mark where the copy of each page will begin. */
  private static void mark(ByteBuffer target, int at, int bytes) {
    int end = at + bytes;
    int pageEnd;
    for (int from = at; from < end; from = pageEnd) {
      pageEnd = MappedPages.pageEnd(from, end);
      if (pageEnd - from >= Long.BYTES) {
        target.putLong(target.position() + from - at, MARK);
      }
    }
  }

  /** Checks the pages whose mark is still there, or had no room. */
  private void checkRead(ByteBuffer piece, int at, ByteBuffer target, int bytes)
      throws IOException {
    int shift = target.position() - at;
    int end = at + bytes;
    int pageEnd;
    for (int from = at; from < end; from = pageEnd) {
      pageEnd = MappedPages.pageEnd(from, end);
      int probed = Math.min(MappedPages.PROBE_BYTES, pageEnd - from);
      int targetAt = from + shift;
      if ((probed < Long.BYTES || target.getLong(targetAt) == MARK)
          && !MappedPages.has(
              piece, from, target, targetAt, probed, new byte[MappedPages.PROBE_BYTES])) {
        awaitFault();
        throw new IOException(path + " cannot be read at offset " + from);
      }
    }
  }

  /** Makes the JVM report the fault now, not in code that knows nothing about the file. */
  private static void awaitFault() {
    LockSupport.parkNanos(1);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    for (int i = 0; i < pieces.length; i++) {
      Mapping piece = pieces[i];
      if (piece != null) {
        piece.close();
      }
    }
  }
}
