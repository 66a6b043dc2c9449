// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the files of another storage and never changes them: new files are on the heap, deleted
 * files are only hidden, and both changes vanish with this object. Thread-safe.
 *
 * <p>A database that is opened on it can do all its work and leaves no trace. The folder is not
 * locked, so that it may be on a read-only file system, and may be in use.
 */
public final class OverlayStorage implements Storage {
  private static final Logger LOG = LoggerFactory.getLogger(OverlayStorage.class);

  private final Storage base;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, HeapFile> created = new HashMap<>();

  @GuardedBy("lock")
  private final Set<String> directories = new HashSet<>();

  @GuardedBy("lock")
  private final Set<String> hidden = new HashSet<>();

  @GuardedBy("lock")
  private final Map<String, StorageReader> held = new HashMap<>();

  /** Creates a view of a storage. */
  public OverlayStorage(Storage base) {
    this.base = base;
  }

  /**
   * Keeps a file open until {@link #release}, so that it can be read even if it is deleted in the
   * storage below.
   *
   * @throws NoSuchFileException if there is no such file
   */
  public void hold(String name) throws IOException {
    lock.lock();
    try {
      if (!held.containsKey(name)) {
        held.put(name, base.open(visible(name)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Releases all files that are held. They were only read, so closing one loses nothing. */
  public void release() {
    lock.lock();
    try {
      held.forEach(this::close);
      held.clear();
    } finally {
      lock.unlock();
    }
  }

  private void close(String name, StorageReader file) {
    try {
      file.close();
    } catch (IOException e) {
      LOG.warn("could not close {}", path(name), e);
    }
  }

  @Override
  public StorageWriter create(String name) throws IOException {
    lock.lock();
    try {
      if (isOwn(name)) {
        throw new FileAlreadyExistsException(path(name));
      }
      HeapFile file = new HeapFile(path(name));
      created.put(name, file);
      return file.writer();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns whether this view needs a file of that name. Others of the storage below may come and
   * go at any time, as a writer works there.
   */
  @GuardedBy("lock")
  private boolean isOwn(String name) {
    return created.containsKey(name)
        || directories.contains(name)
        || (!hidden.contains(name) && held.containsKey(name));
  }

  @Override
  public StorageReader open(String name) throws IOException {
    lock.lock();
    try {
      HeapFile file = created.get(name);
      if (file != null) {
        return file.reader();
      }
      StorageReader reader = held.get(visible(name));
      return reader == null ? base.open(name) : unclosed(reader);
    } finally {
      lock.unlock();
    }
  }

  private static StorageReader unclosed(StorageReader reader) {
    return new StorageReader() {
      @Override
      public long size() throws IOException {
        return reader.size();
      }

      @Override
      public void readFully(ByteBuffer target, long position) throws IOException {
        reader.readFully(target, position);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public boolean exists(String name) throws IOException {
    lock.lock();
    try {
      return isOwn(name) || (!hidden.contains(name) && base.exists(name));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isDirectory(String name) throws IOException {
    lock.lock();
    try {
      return directories.contains(name) || (!created.containsKey(name) && base.isDirectory(name));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long size(String name) throws IOException {
    lock.lock();
    try {
      HeapFile file = created.get(name);
      if (file != null) {
        return file.length();
      }
      StorageReader reader = held.get(visible(name));
      return reader == null ? base.size(name) : reader.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<String> list(String directory) throws IOException {
    lock.lock();
    try {
      String prefix = directory.isEmpty() ? "" : directory + "/";
      Set<String> names = new TreeSet<>();
      if (base.isDirectory(directory) || !directories.contains(directory)) {
        for (String name : base.list(directory)) {
          if (!hidden.contains(prefix + name)) {
            names.add(name);
          }
        }
      }
      Set<String> others = new HashSet<>(held.keySet());
      others.removeAll(hidden);
      others.addAll(created.keySet());
      for (String name : others) {
        if (name.startsWith(prefix) && name.indexOf('/', prefix.length()) < 0) {
          names.add(name.substring(prefix.length()));
        }
      }
      return List.copyOf(names);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(String name) throws IOException {
    lock.lock();
    try {
      if (created.remove(name) == null) {
        if (!exists(name)) {
          throw new NoSuchFileException(path(name));
        }
        hidden.add(name);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    lock.lock();
    try {
      HeapFile file = created.remove(from);
      if (file == null) {
        throw new NoSuchFileException(path(from));
      }
      hidden.add(to);
      created.put(to, file);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void createDirectories(String directory) {
    lock.lock();
    try {
      directories.add(directory);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void sync(String name) {}

  @Override
  public void syncDirectory(String directory) {}

  @Override
  public Closeable lock(String name) {
    return () -> {};
  }

  @Override
  public long availableBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public String path(String name) {
    return base.path(name);
  }

  @GuardedBy("lock")
  private String visible(String name) throws NoSuchFileException {
    if (hidden.contains(name)) {
      throw new NoSuchFileException(path(name));
    }
    return name;
  }
}
