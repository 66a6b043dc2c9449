// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Files in memory, one folder without sub-folders, as far as sorted tables need them. Thread-safe.
 * Can fail at a chosen write, sync or close; files show their bytes and may be given others.
 */
final class BytesStorage implements Storage {
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final AtomicInteger openReaders = new AtomicInteger();
  private final AtomicInteger openWriters = new AtomicInteger();
  private int operationsUntilFailure = Integer.MAX_VALUE;

  byte[] bytes(String name) throws IOException {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new NoSuchFileException(name);
    }
    return bytes;
  }

  void setBytes(String name, byte[] bytes) {
    files.put(name, bytes);
  }

  /** Lets the operations of writers succeed this many times, and fail from then on. */
  void failWritersAfter(int operations) {
    operationsUntilFailure = operations;
  }

  int openReaders() {
    return openReaders.get();
  }

  int openWriters() {
    return openWriters.get();
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    if (files.putIfAbsent(name, new byte[0]) != null) {
      throw new FileAlreadyExistsException(name);
    }
    openWriters.incrementAndGet();
    return new Writer(name);
  }

  @Override
  public StorageReader open(String name) throws IOException {
    byte[] bytes = bytes(name);
    openReaders.incrementAndGet();
    return new Reader(bytes);
  }

  @Override
  public boolean exists(String name) {
    return files.containsKey(name);
  }

  @Override
  public boolean isDirectory(String name) {
    return name.isEmpty();
  }

  @Override
  public long size(String name) throws IOException {
    return bytes(name).length;
  }

  @Override
  public List<String> list(String directory) {
    return files.keySet().stream().sorted().toList();
  }

  @Override
  public void delete(String name) throws IOException {
    if (files.remove(name) == null) {
      throw new NoSuchFileException(name);
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    files.put(to, bytes(from));
    files.remove(from);
  }

  @Override
  public void createDirectories(String directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void sync(String name) {}

  @Override
  public void syncDirectory(String directory) {}

  @Override
  public Closeable lock(String name) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long availableBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public String path(String name) {
    return name;
  }

  private final class Writer implements StorageWriter {
    private final String name;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private boolean closed;

    Writer(String name) {
      this.name = name;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      count();
      for (ByteBuffer buffer : buffers) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        written.writeBytes(bytes);
      }
    }

    @Override
    public long position() {
      return written.size();
    }

    @Override
    public void sync() throws IOException {
      count();
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        openWriters.decrementAndGet();
        files.put(name, written.toByteArray());
        count();
      }
    }

    private void count() throws IOException {
      if (operationsUntilFailure-- <= 0) {
        throw new IOException("injected failure");
      }
    }
  }

  private final class Reader implements StorageReader {
    private final byte[] bytes;
    private volatile boolean closed;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      if (closed) {
        throw new IOException("the file is closed");
      }
      if (position < 0 || target.remaining() > bytes.length - position) {
        throw new EOFException();
      }
      target.put(bytes, (int) position, target.remaining());
    }

    @Override
    public void close() {
      closed = true;
      openReaders.decrementAndGet();
    }
  }
}
