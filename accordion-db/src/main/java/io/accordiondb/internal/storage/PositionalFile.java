// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An open file that is read and written at positions. Thread-safe.
 *
 * <p>An interrupt of a thread that is inside a {@link java.nio.channels.FileChannel} closes the
 * channel for all threads; that would let one cancelled task of an application end its database. An
 * {@link AsynchronousFileChannel} is not closed by interrupts. With an executor that runs its tasks
 * at once, it works on the calling thread and is as fast. On Windows it needs threads of its own,
 * for which the caller waits. The interrupt flag of the thread is not changed.
 */
final class PositionalFile implements Closeable {
  /**
   * Longest piece of a heap buffer that is read or written at a time, because the JDK copies it to
   * a direct buffer that it keeps for the thread.
   */
  private static final int HEAP_PIECE_BYTES = 128 << 10;

  private static final @Nullable ExecutorService EXECUTOR =
      FileStorage.IS_WINDOWS ? null : new CallerRuns();

  private final Path path;
  private final AsynchronousFileChannel channel;

  PositionalFile(Path path, AsynchronousFileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  static PositionalFile open(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return new PositionalFile(
        path, AsynchronousFileChannel.open(path, options, EXECUTOR, attributes));
  }

  long size() throws IOException {
    return channel.size();
  }

  /**
   * Reads bytes into the remaining part of a buffer; returns their number, -1 at the end of the
   * file.
   */
  int read(ByteBuffer target, long position) throws IOException {
    int limit = target.limit();
    target.limit(target.position() + pieceBytes(target));
    try {
      return await(channel.read(target, position));
    } finally {
      target.limit(limit);
    }
  }

  /** Writes some of the remaining bytes of a buffer; returns their number. */
  int write(ByteBuffer source, long position) throws IOException {
    int limit = source.limit();
    source.limit(source.position() + pieceBytes(source));
    try {
      return await(channel.write(source, position));
    } finally {
      source.limit(limit);
    }
  }

  void truncate(long bytes) throws IOException {
    try {
      channel.truncate(bytes);
    } catch (IOException e) {
      throw named(e);
    }
  }

  /** Forces bytes and length to the device. */
  void forceData() throws IOException {
    force(false);
  }

  /** Forces everything to the device; the names in a directory need this. */
  void forceAll() throws IOException {
    force(true);
  }

  private void force(boolean all) throws IOException {
    try {
      channel.force(all);
    } catch (IOException e) {
      throw named(e);
    }
  }

  /** Names the file in a failure of which the operating system has said only the reason. */
  private IOException named(IOException failure) {
    if (failure.getClass() != IOException.class) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(path.toString(), null, String.valueOf(failure.getMessage()));
    named.initCause(failure);
    return named;
  }

  @Nullable FileLock tryLock(long position, boolean isShared) throws IOException {
    try {
      return channel.tryLock(position, 1, isShared);
    } catch (IOException e) {
      throw named(e);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private static int pieceBytes(ByteBuffer buffer) {
    return buffer.isDirect() ? buffer.remaining() : Math.min(buffer.remaining(), HEAP_PIECE_BYTES);
  }

  private int await(Future<Integer> result) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw named(failure);
      }
      throw new IOException(path.toString(), e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Runs each task on the submitting thread. There is nothing to shut down. */
  private static final class CallerRuns extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }
}
