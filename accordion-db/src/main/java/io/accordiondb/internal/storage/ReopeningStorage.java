// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.FileReading;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;

/**
 * Wraps another storage and limits the number of files that are open for reading. It closes files
 * that were not read recently and opens them again when they are read, so a file must keep its name
 * as long as it has a reader. Thread-safe.
 *
 * <p>The limit counts files that are not being read: if many threads read files that are about to
 * be closed, each thread may hold one more file during one read.
 */
public final class ReopeningStorage extends ForwardingStorage implements Closeable {
  private final FileReading reading;
  private final IntPredicate tooMany;

  private final ReentrantLock openLock = new ReentrantLock();

  /**
   * The readers whose files are open, guarded by openLock: those opened or passed over last at the
   * end.
   */
  private final Set<ReopeningReader> open = new LinkedHashSet<>();

  /** How many readers each file has, open or not; guarded by openLock. */
  private final Map<String, Integer> readers = new HashMap<>();

  private volatile boolean closed;

  /**
   * Creates a storage.
   *
   * @param reading how files are read
   * @param tooMany returns whether a number of files open for reading is too high. Called by one
   *     thread at a time
   */
  public ReopeningStorage(Storage delegate, FileReading reading, IntPredicate tooMany) {
    super(delegate);
    this.reading = reading;
    this.tooMany = tooMany;
  }

  @Override
  public StorageReader open(String name) throws IOException {
    ReopeningReader reader = new ReopeningReader(this, name);
    openLock.lock();
    try {
      readers.merge(name, 1, Integer::sum);
    } finally {
      openLock.unlock();
    }
    boolean done = false;
    try {
      reader.open();
      done = true;
      return reader;
    } finally {
      if (!done) {
        reader.close();
      }
    }
  }

  /** Returns whether a file has readers, which may have to open it again. */
  public boolean hasReaders(String name) {
    openLock.lock();
    try {
      return readers.containsKey(name);
    } finally {
      openLock.unlock();
    }
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    return delegate.create(name);
  }

  @Override
  public StorageWriter createFilled(String name, long bytes) throws IOException {
    return delegate.createFilled(name, bytes);
  }

  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    delegate.linkTo(name, target, targetName);
  }

  /** Closes the files of all readers. Later reads throw {@link DatabaseClosedException}. */
  @Override
  public void close() {
    List<ReopeningReader> left;
    openLock.lock();
    try {
      closed = true;
      left = List.copyOf(open);
      open.clear();
    } finally {
      openLock.unlock();
    }
    left.forEach(ReopeningReader::letGo);
  }

  StorageReader openFile(String name) throws IOException {
    if (closed) {
      throw new DatabaseClosedException(delegate.path(""));
    }
    return switch (reading) {
      case PLAIN -> delegate.open(name);
      case MAPPED -> delegate.openMapped(name);
    };
  }

  /** Adds a reader that has opened its file, and closes files of others to make room. */
  void opened(ReopeningReader reader) {
    List<ReopeningReader> chosen = new ArrayList<>(1);
    try {
      openLock.lock();
      try {
        if (closed) {
          chosen.add(reader);
        } else {
          while (!open.isEmpty() && tooMany.test(open.size() + 1)) {
            chosen.add(removeOneNotReadLately());
          }
          open.add(reader);
        }
      } finally {
        openLock.unlock();
      }
    } finally {
      // Not under the lock, because closing a file may take a while. Even if there is no memory to
      // add the reader, because those chosen are no longer counted.
      for (int i = 0; i < chosen.size(); i++) {
        chosen.get(i).letGo();
      }
    }
  }

  /** Removes a reader that is closed. */
  void done(ReopeningReader reader, String name) {
    openLock.lock();
    try {
      open.remove(reader);
      readers.computeIfPresent(name, (any, count) -> count == 1 ? null : count - 1);
    } finally {
      openLock.unlock();
    }
  }

  /**
   * Returns a reader that has not read recently, and removes it. It passes over each reader once
   * that has read since it was passed over before.
   */
  @GuardedBy("openLock")
  private ReopeningReader removeOneNotReadLately() {
    for (int chances = open.size(); ; chances--) {
      ReopeningReader oldest = open.iterator().next();
      open.remove(oldest);
      if (!oldest.forgetUse() || chances == 0) {
        return oldest;
      }
      open.add(oldest);
    }
  }
}
