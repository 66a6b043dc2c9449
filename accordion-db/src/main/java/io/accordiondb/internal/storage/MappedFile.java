// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.function.IoRunnable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that is appended to by storing into a memory mapping of its next bytes. Thread-safe.
 *
 * <p>Each piece of the file is filled with zeros before it is mapped, so that the file system
 * reserves the room: on a full disk that write fails, and no store causes a signal. {@link
 * MappingSupport} knows the file systems for which this is true. A sync of the file also covers
 * what was stored in mappings there.
 *
 * <p>A store into a page that the device refuses is dropped. The JVM reports it by an {@link
 * InternalError}, but at any later time, perhaps long after {@link #append} has returned and in
 * code that knows nothing about the file. So each append reads a few bytes of every page back
 * before it returns, by a copy that leaves its target as it was if the page cannot be read. After
 * any throwable has ended an append early, later appends are refused, because they could overwrite
 * what it has left. Only a missing room for the next piece allows another attempt.
 *
 * <p>Once a sixteenth of a piece has been written, another thread prepares the next three pieces,
 * up to the announced length: three, because that thread may have to wait for a processor or the
 * device for as long as two last. Beyond that length it prepares one. It also unmaps what is full.
 * So appending needs no system call and touches no page for the first time, and a file that
 * receives little data has only one piece.
 */
final class MappedFile implements StorageWriter {
  private static final Logger LOG = LoggerFactory.getLogger(MappedFile.class);
  private static final int PIECE_BYTES = 1 << 20;
  private static final int BYTES_BEFORE_NEXT = PIECE_BYTES / 16;
  private static final int PIECES_AHEAD = 3;

  /**
   * The zeros with which pieces are filled. Small enough for the processor's cache, and outside the
   * heap: an array for each piece would be a humongous object, which makes G1 mark the whole heap.
   */
  private static final ByteBuffer ZEROS = zeros(ByteBuffer::allocateDirect);

  private final Path path;
  private final PositionalFile file;
  private final long announcedBytes;
  private final IoRunnable folderCheck;
  private final Executor ahead;
  private final ReentrantLock appendLock = new ReentrantLock();

  @GuardedBy("appendLock")
  private final byte[] probe = new byte[MappedPages.PROBE_BYTES];

  @GuardedBy("appendLock")
  private @Nullable Mapping piece;

  /** The pieces behind the present one that are being prepared, in order. */
  @GuardedBy("appendLock")
  private final Deque<NextPiece> nextPieces = new ArrayDeque<>(PIECES_AHEAD);

  @GuardedBy("appendLock")
  private long pieceStart;

  /** The end of the last piece that is there or was asked for. */
  @GuardedBy("appendLock")
  private long askedEnd = PIECE_BYTES;

  @GuardedBy("appendLock")
  private boolean closed;

  /** Whether an append has begun and was ended early, for any reason except a lack of room. */
  @GuardedBy("appendLock")
  private boolean broken;

  private volatile long position;

  /** A piece that is being prepared. */
  private record NextPiece(long start, CompletableFuture<Mapping> mapping) {}

  /**
   * Creates a writer that owns an empty file.
   *
   * @param announcedBytes expected number of bytes to be appended
   * @param folderCheck runs after each sync; throws if the folder was moved, deleted or replaced
   * @param ahead prepares pieces ahead and unmaps full ones; the appending thread does what it
   *     rejects
   */
  MappedFile(
      Path path, PositionalFile file, long announcedBytes, IoRunnable folderCheck, Executor ahead) {
    this.path = path;
    this.file = file;
    this.announcedBytes = announcedBytes;
    this.folderCheck = folderCheck;
    this.ahead = ahead;
  }

  /** Returns zeros, on the heap if need be: without them this class could never be used. */
  static ByteBuffer zeros(IntFunction<ByteBuffer> memory) {
    int bytes = PIECE_BYTES / 16;
    try {
      return memory.apply(bytes).asReadOnlyBuffer();
    } catch (OutOfMemoryError e) {
      return ByteBuffer.allocate(bytes).asReadOnlyBuffer();
    }
  }

  @Override
  public void append(ByteBuffer... buffers) throws IOException {
    appendLock.lock();
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      if (broken) {
        throw new PageFaultException(
            path + " takes no more bytes, because an earlier append has failed");
      }
      broken = true;
      for (ByteBuffer buffer : buffers) {
        while (buffer.hasRemaining()) {
          append(buffer);
        }
      }
      broken = false;
    } finally {
      appendLock.unlock();
    }
  }

  @GuardedBy("appendLock")
  private void append(ByteBuffer buffer) throws IOException {
    Mapping target = piece;
    if (target == null || position == pieceStart + PIECE_BYTES) {
      try {
        target = mapNext();
      } catch (PageFaultException e) {
        throw e;
      } catch (IOException e) {
        // Nothing was stored, so the rest may be appended once there is room.
        broken = false;
        throw e;
      }
    }
    int at = (int) (position - pieceStart);
    int bytes = Math.min(buffer.remaining(), PIECE_BYTES - at);
    try {
      target.bytes().put(at, buffer, buffer.position(), bytes);
      checkStored(target.bytes(), at, buffer, bytes);
    } catch (InternalError e) {
      throw new PageFaultException(path + " cannot be written at offset " + position, e);
    }
    buffer.position(buffer.position() + bytes);
    position = pieceStart + at + bytes;
    while (at + bytes >= BYTES_BEFORE_NEXT && askedEnd < wantedEnd()) {
      askForNext(askedEnd);
      askedEnd += PIECE_BYTES;
    }
  }

  /** Beyond the announced length, which may be the last append, one piece ahead is enough. */
  @GuardedBy("appendLock")
  private long wantedEnd() {
    return pieceStart < announcedBytes
        ? Math.min(announcedBytes, pieceStart + (1L + PIECES_AHEAD) * PIECE_BYTES)
        : pieceStart + 2L * PIECE_BYTES;
  }

  /** Reads back the first bytes of each page that are not zero. All bytes were zero before. */
  @GuardedBy("appendLock")
  private void checkStored(ByteBuffer target, int at, ByteBuffer source, int bytes)
      throws IOException {
    int shift = source.position() - at;
    int end = at + bytes;
    int pageEnd;
    for (int from = at; from < end; from = pageEnd) {
      pageEnd = MappedPages.pageEnd(from, end);
      int first = from;
      while (first + Long.BYTES <= pageEnd && source.getLong(first + shift) == 0) {
        first += Long.BYTES;
      }
      while (first < pageEnd && source.get(first + shift) == 0) {
        first++;
      }
      int probed = Math.min(MappedPages.PROBE_BYTES, pageEnd - first);
      if (!MappedPages.has(target, first, source, first + shift, probed, probe)) {
        throw new PageFaultException(path + " cannot be written at offset " + (pieceStart + first));
      }
    }
  }

  /**
   * Lets another thread prepare a piece, after those before it. If there is no thread, the piece is
   * prepared when it is needed.
   */
  @GuardedBy("appendLock")
  private void askForNext(long start) {
    NextPiece before = nextPieces.peekLast();
    try {
      nextPieces.addLast(
          new NextPiece(
              start,
              before == null
                  ? CompletableFuture.supplyAsync(() -> prepareAhead(start), ahead)
                  : before.mapping.handleAsync((mapped, e) -> prepareAhead(start), ahead)));
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      LOG.debug("no thread can fill {} ahead", path, e);
    }
  }

  @GuardedBy("appendLock")
  private Mapping mapNext() throws IOException {
    Mapping full = piece;
    piece = null;
    if (full != null) {
      unmapAhead(full);
    }
    NextPiece next = nextPieces.peekFirst();
    Mapping mapped = next == null || next.start != position ? null : takeNext();
    if (mapped == null) {
      mapped = prepare(position);
    }
    pieceStart = position;
    askedEnd = Math.max(askedEnd, pieceStart + PIECE_BYTES);
    piece = mapped;
    return mapped;
  }

  /** Lets another thread unmap a piece: it waits for all threads that map or allocate memory. */
  private void unmapAhead(Mapping full) {
    try {
      ahead.execute(full::close);
    } catch (OutOfMemoryError | RejectedExecutionException e) {
      full.close();
    }
  }

  /** Waits for the first piece that was asked for, and returns it; null if that has failed. */
  @GuardedBy("appendLock")
  private @Nullable Mapping takeNext() {
    try {
      return nextPieces.removeFirst().mapping.join();
    } catch (CompletionException e) {
      LOG.debug("{} could not be filled ahead; it is tried again when it is needed", path, e);
      return null;
    }
  }

  private Mapping prepareAhead(long start) {
    try {
      return prepare(start);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Fills and maps a piece, and loads all its pages. */
  private Mapping prepare(long start) throws IOException {
    int filled = 0;
    while (filled < PIECE_BYTES) {
      ByteBuffer zeros = ZEROS.duplicate().limit(Math.min(ZEROS.capacity(), PIECE_BYTES - filled));
      filled += file.write(zeros, start + filled);
    }
    Mapping mapped = map(start);
    try {
      for (int page = 0; page < PIECE_BYTES; page += MappedPages.PAGE_BYTES) {
        mapped.bytes().put(page, (byte) 0);
      }
    } catch (InternalError e) {
      mapped.close();
      throw new PageFaultException(path + " cannot be written at offset " + start, e);
    }
    return mapped;
  }

  private Mapping map(long start) throws IOException {
    return MappedPages.map(
        path,
        Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE),
        channel -> Mapping.map(channel, MapMode.READ_WRITE, start, PIECE_BYTES));
  }

  private static void unmap(@Nullable Mapping mapped) {
    if (mapped != null) {
      mapped.close();
    }
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    file.forceData();
    folderCheck.run();
  }

  @Override
  public void close() throws IOException {
    appendLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      try (file) {
        unmap(piece);
        piece = null;
        while (!nextPieces.isEmpty()) {
          unmap(takeNext());
        }
        file.truncate(position);
      }
    } finally {
      appendLock.unlock();
    }
  }
}
