// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.disk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.storage.ForwardingStorage;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Another storage that takes as long as a {@link SimulatedDisk} would. Names cost nothing, bytes
 * and forcing them do. Thread-safe.
 */
final class ThrottledStorage extends ForwardingStorage {
  /** Time, so that tests need none. */
  interface Time {
    /** Returns the time in nanoseconds, from any beginning. */
    long nanos();

    /** Returns at a time, or at once if it has passed. */
    void awaitNanos(long nanos);
  }

  private final DiskModel disk;
  private final Time time;

  /** Creates a storage whose files lie on a slow disk. */
  ThrottledStorage(Storage delegate, SimulatedDisk disk) {
    this(delegate, disk, new SystemTime());
  }

  ThrottledStorage(Storage delegate, SimulatedDisk disk, Time time) {
    super(delegate);
    this.disk = new DiskModel(disk);
    this.time = time;
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    return new ThrottledWriter(delegate.create(name));
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    return new ThrottledWriter(delegate.createFilled(name, bytes));
  }

  @Override
  public StorageReader open(String name) throws IOException {
    return new ThrottledReader(delegate.open(name));
  }

  @Override
  public void sync(String name) throws IOException {
    delegate.sync(name);
    time.awaitNanos(disk.sync(time.nanos()));
  }

  @Override
  public void syncDirectory(String directory) throws IOException {
    delegate.syncDirectory(directory);
    time.awaitNanos(disk.sync(time.nanos()));
  }

  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    delegate.linkTo(
        name, target instanceof ThrottledStorage other ? other.delegate : target, targetName);
  }

  private final class ThrottledWriter implements StorageWriter {
    private final StorageWriter writer;

    ThrottledWriter(StorageWriter writer) {
      this.writer = writer;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      long before = writer.position();
      writer.append(buffers);
      time.awaitNanos(disk.write(time.nanos(), writer.position() - before));
    }

    @Override
    public long position() {
      return writer.position();
    }

    @Override
    public void sync() throws IOException {
      writer.sync();
      time.awaitNanos(disk.sync(time.nanos()));
    }

    @Override
    public void close() throws IOException {
      writer.close();
    }
  }

  /**
   * Remembers where the last reads ended, as an operating system does that reads ahead: a read that
   * goes on there needs no seek, even if other threads read elsewhere in between.
   */
  private final class ThrottledReader implements StorageReader {
    private static final int STREAMS = 8;

    private final StorageReader reader;

    /** Also the lock that guards its elements. */
    private final long[] streamEnds = new long[STREAMS];

    @GuardedBy("streamEnds")
    private int oldestStream;

    ThrottledReader(StorageReader reader) {
      this.reader = reader;
      Arrays.fill(streamEnds, -1);
    }

    @Override
    public long size() throws IOException {
      return reader.size();
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      int bytes = target.remaining();
      reader.readFully(target, position);
      boolean seeks = !continuesStream(position, bytes);
      time.awaitNanos(disk.read(time.nanos(), bytes, seeks));
    }

    private boolean continuesStream(long position, int bytes) {
      synchronized (streamEnds) {
        for (int stream = 0; stream < STREAMS; stream++) {
          if (streamEnds[stream] == position) {
            streamEnds[stream] = position + bytes;
            return true;
          }
        }
        streamEnds[oldestStream] = position + bytes;
        oldestStream = (oldestStream + 1) % STREAMS;
        return false;
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  private static final class SystemTime implements Time {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    /** An interrupt neither shortens the wait nor is lost. */
    @Override
    public void awaitNanos(long nanos) {
      boolean interrupted = false;
      for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
