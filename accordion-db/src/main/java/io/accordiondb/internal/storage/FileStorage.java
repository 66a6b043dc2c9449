// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a real file system.
 *
 * <p>An interrupt of a thread closes the channel that it uses, for everybody. So a writer hides a
 * pending interrupt while it is in the channel; an interrupt that arrives just then still closes
 * it, and the write fails. A reader opens the file anew and goes on. Either way the thread's
 * interrupt flag is set again.
 */
public final class FileStorage implements Storage {
  private static final boolean CAN_SYNC_DIRECTORIES =
      !System.getProperty("os.name", "").toLowerCase(Locale.ROOT).contains("windows");

  private final Path root;

  /**
   * Creates access to a folder, which is created if it is missing.
   *
   * @throws NotADatabaseException if the path is a file
   */
  public FileStorage(Path path) throws IOException {
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new NotADatabaseException(path.toString(), "it is a file");
    }
    Files.createDirectories(path);
    this.root = path.toRealPath();
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    return new Writer(
        FileChannel.open(resolve(name), StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW));
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return new Reader(resolve(name));
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(resolve(name));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    try (Stream<Path> entries = Files.list(resolve(directory))) {
      return entries.map(entry -> String.valueOf(entry.getFileName())).sorted().toList();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    Files.delete(resolve(name));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(resolve(from), resolve(to), StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void createDirectories(String directory) throws IOException {
    Files.createDirectories(resolve(directory));
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    if (CAN_SYNC_DIRECTORIES) {
      try (FileChannel channel = FileChannel.open(resolve(directory), StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  @Override
  public Closeable lock(String name) throws IOException {
    FileChannel channel =
        FileChannel.open(
            resolve(name),
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE);
    boolean locked = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new DatabaseLockedException(root.toString(), "by process " + holderOf(channel));
      }
      channel.truncate(0);
      byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII);
      channel.write(ByteBuffer.wrap(pid), 0);
      locked = true;
      return channel;
    } catch (OverlappingFileLockException e) {
      throw new DatabaseLockedException(root.toString(), "by this process");
    } finally {
      if (!locked) {
        channel.close();
      }
    }
  }

  private static String holderOf(FileChannel channel) throws IOException {
    ByteBuffer pid = ByteBuffer.allocate(20);
    channel.read(pid, 0);
    return new String(pid.array(), 0, pid.position(), StandardCharsets.US_ASCII);
  }

  @Override
  public String path(String name) {
    return resolve(name).toString();
  }

  private Path resolve(String name) {
    return root.resolve(name);
  }

  private static final class Writer implements StorageWriter {
    private final FileChannel channel;
    private long position;

    Writer(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      boolean interrupted = Thread.interrupted();
      try {
        for (ByteBuffer buffer : buffers) {
          while (buffer.hasRemaining()) {
            position += channel.write(buffer);
          }
        }
      } finally {
        restore(interrupted);
      }
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void sync() throws IOException {
      boolean interrupted = Thread.interrupted();
      try {
        channel.force(false);
      } finally {
        restore(interrupted);
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }

    private static void restore(boolean interrupted) {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class Reader implements StorageReader {
    private final Path path;
    private volatile FileChannel channel;
    private volatile boolean closed;

    Reader(Path path) throws IOException {
      this.path = path;
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
    }

    @Override
    public long size() throws IOException {
      return Files.size(path);
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      int start = target.position();
      boolean interrupted = false;
      try {
        while (true) {
          FileChannel current = channel;
          try {
            readFully(current, target, position);
            return;
          } catch (ClosedByInterruptException e) {
            interrupted |= Thread.interrupted();
            reopen(current, e);
          } catch (ClosedChannelException e) {
            reopen(current, e);
          }
          target.position(start);
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private void readFully(FileChannel from, ByteBuffer target, long position) throws IOException {
      long at = position;
      while (target.hasRemaining()) {
        int read = from.read(target, at);
        if (read < 0) {
          throw new EOFException(
              path + " ends at offset " + at + ", expected " + target.remaining() + " bytes more");
        }
        at += read;
      }
    }

    /** Opens the file anew, because somebody was interrupted while reading it. */
    private synchronized void reopen(@Nullable FileChannel broken, IOException cause)
        throws IOException {
      if (closed) {
        throw cause;
      }
      if (channel == broken) {
        channel = FileChannel.open(path, StandardOpenOption.READ);
      }
    }

    @Override
    public synchronized void close() throws IOException {
      closed = true;
      channel.close();
    }
  }
}
