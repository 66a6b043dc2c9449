// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.DatabaseLockedException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Files on the heap, without a file system. Thread-safe.
 *
 * <p>All bytes count against the heap of the process, not against direct memory. The bytes of a
 * deleted file can be collected after its last reader is closed. Releasing the lock releases all
 * files: later reads throw {@link java.nio.channels.ClosedChannelException}.
 */
public final class HeapStorage implements Storage {
  private static final String ROOT = "memory:";

  @GuardedBy("this")
  private final NavigableMap<String, HeapFile> files = new TreeMap<>();

  @GuardedBy("this")
  private final Set<String> directories = new HashSet<>(Set.of(""));

  @GuardedBy("this")
  private boolean locked;

  /** Creates a storage without files. */
  public HeapStorage() {}

  /** Returns the length of all files together. */
  public synchronized long totalBytes() {
    return files.values().stream().mapToLong(HeapFile::length).sum();
  }

  @Override
  public boolean isVolatile() {
    return true;
  }

  @Override
  public synchronized StorageWriter create(String name) throws IOException {
    if (exists(name)) {
      throw new FileAlreadyExistsException(path(name));
    }
    checkDirectory(directoryOf(name));
    HeapFile file = new HeapFile(path(name));
    files.put(name, file);
    return file.writer();
  }

  @Override
  public synchronized StorageReader open(String name) throws IOException {
    return file(name).reader();
  }

  @Override
  public synchronized boolean exists(String name) {
    return files.containsKey(name) || directories.contains(name);
  }

  @Override
  public synchronized boolean isDirectory(String name) {
    return directories.contains(name);
  }

  @Override
  public synchronized long size(String name) throws IOException {
    return file(name).length();
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    checkDirectory(directory);
    Set<String> names = new HashSet<>(directories);
    names.addAll(files.keySet());
    return names.stream()
        .filter(name -> !name.isEmpty() && directoryOf(name).equals(directory))
        .map(name -> name.substring(name.lastIndexOf('/') + 1))
        .sorted()
        .toList();
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    file(name);
    files.remove(name);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    HeapFile file = file(from);
    checkDirectory(directoryOf(to));
    if (directories.contains(to)) {
      throw new FileAlreadyExistsException(path(to));
    }
    files.remove(from);
    files.put(to, file);
  }

  @Override
  public synchronized void createDirectories(String directory) throws IOException {
    String name = directory;
    while (directories.add(name)) {
      if (files.containsKey(name)) {
        directories.remove(name);
        throw new FileAlreadyExistsException(path(name));
      }
      name = directoryOf(name);
    }
  }

  @Override
  public synchronized void sync(String name) throws IOException {
    file(name);
  }

  @Override
  public synchronized void syncDirectory(String directory) throws IOException {
    checkDirectory(directory);
  }

  /**
   * Locks without a file, because no other process can reach the storage. Closing the lock frees
   * all files.
   */
  @Override
  public synchronized Closeable lock(String name) throws IOException {
    if (locked) {
      throw new DatabaseLockedException(path(""), "in this process");
    }
    locked = true;
    return this::free;
  }

  private synchronized void free() {
    locked = false;
    files.values().forEach(HeapFile::free);
    files.clear();
    directories.clear();
    directories.add("");
  }

  @Override
  public long availableBytes() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  @Override
  public String path(String name) {
    return name.isEmpty() ? ROOT : ROOT + "/" + name;
  }

  @GuardedBy("this")
  private HeapFile file(String name) throws NoSuchFileException {
    HeapFile file = files.get(name);
    if (file == null) {
      throw new NoSuchFileException(path(name));
    }
    return file;
  }

  @GuardedBy("this")
  private void checkDirectory(String name) throws NoSuchFileException {
    if (!directories.contains(name)) {
      throw new NoSuchFileException(path(name));
    }
  }

  private static String directoryOf(String name) {
    int slash = name.lastIndexOf('/');
    return slash < 0 ? "" : name.substring(0, slash);
  }
}
