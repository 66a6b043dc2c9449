// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.chunk.ReferenceCount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file that {@link ReopeningStorage} may close at any time, and opens it again.
 * Thread-safe. While the file is open, a read takes no lock: it holds the file by a count, and the
 * last holder closes a file that was released.
 */
final class ReopeningReader implements StorageReader {
  private final ReopeningStorage storage;
  private final String name;

  /** Held while the file is opened, which may take long. */
  private final ReentrantLock fileLock = new ReentrantLock();

  /** The open file, if it is open. Written under fileLock. */
  private volatile @Nullable Holder holder;

  @GuardedBy("fileLock")
  private boolean closed;

  /**
   * Whether the file was read since it was opened or passed over; a hint, written without ordering.
   */
  private boolean used;

  /** Whether the file is in memory; known once it was opened. */
  private volatile boolean inMemory;

  ReopeningReader(ReopeningStorage storage, String name) {
    this.storage = storage;
    this.name = name;
  }

  /** An open file and the number of its holders; the first one is the reader itself. */
  private static final class Holder {
    private final ReferenceCount count;
    private final StorageReader file;

    Holder(ReferenceCount count, StorageReader file) {
      this.count = count;
      this.file = file;
    }

    boolean tryRetain() {
      return count.tryRetain();
    }

    void release() {
      if (count.release()) {
        try {
          file.close();
        } catch (IOException e) {
          // The file was only read, so nothing is lost.
        }
      }
    }
  }

  /** Opens the file, which must not be open. */
  void open() throws IOException {
    acquire().release();
  }

  @Override
  public boolean isInMemory() {
    return inMemory;
  }

  @Override
  public long size() throws IOException {
    Holder held = acquire();
    try {
      return held.file.size();
    } finally {
      held.release();
    }
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    Holder held = acquire();
    try {
      held.file.readFully(target, position);
    } finally {
      held.release();
    }
  }

  @Override
  public void close() {
    fileLock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
    } finally {
      fileLock.unlock();
    }
    storage.done(this, name);
    letGo();
  }

  /** Closes the file as soon as no read is in progress; the next read opens it again. */
  void letGo() {
    Holder held;
    fileLock.lock();
    try {
      held = holder;
      holder = null;
    } finally {
      fileLock.unlock();
    }
    if (held != null) {
      held.release();
    }
  }

  /** Returns whether the file was read since the last call. */
  boolean forgetUse() {
    boolean was = used;
    used = false;
    return was;
  }

  private Holder acquire() throws IOException {
    Holder held = holder;
    if (held != null && held.tryRetain()) {
      if (!used) {
        used = true;
      }
      return held;
    }
    return reopen();
  }

  private Holder reopen() throws IOException {
    Holder held;
    fileLock.lock();
    try {
      if (closed) {
        throw new ClosedChannelException();
      }
      held = holder;
      if (held != null && held.tryRetain()) {
        return held;
      }
      // The holder and its count are allocated before the file is opened: if the heap ran out
      // afterwards, nobody would close the file.
      held = new Holder(new ReferenceCount(), storage.openFile(name));
      holder = held;
      inMemory = held.file.isInMemory();
      held.tryRetain();
    } finally {
      fileLock.unlock();
    }
    boolean isListed = false;
    try {
      storage.opened(this);
      isListed = true;
    } finally {
      if (!isListed) {
        held.release();
        letGo();
      }
    }
    return held;
  }
}
