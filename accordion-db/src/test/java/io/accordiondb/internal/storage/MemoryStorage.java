// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.DatabaseLockedException;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated disk that knows what of it is durable. Thread-safe; deterministic.
 *
 * <p>{@link #crash} gives the disk as it may be after a loss of power: of each file the synced
 * bytes, then a part of the others, then perhaps zeros or noise; of a filled file any of the
 * sectors that have changed since it was synced; and for each name that has changed since its
 * directory was synced, any of the states that it had since. A link has the same bytes as the file,
 * synced or not. {@link #copy} gives the disk as it is after the death of the process alone, with
 * what is not durable yet.
 */
public final class MemoryStorage implements Storage {
  /** For {@link #crash}: leaves nothing but what is durable. */
  public static final RandomGenerator LOSES_ALL = () -> 0;

  private static final long CAPACITY_BYTES = 1L << 40;

  private final MemoryDirectory root;
  private final Set<String> locks = new HashSet<>();
  private int openFiles;
  private int openFilesHighest;

  /** Creates an empty disk. */
  public MemoryStorage() {
    this(new MemoryDirectory());
  }

  private MemoryStorage(MemoryDirectory root) {
    this.root = root;
  }

  /** Where a name leads: the directory that has or would have it, and its last part. */
  private record Place(MemoryDirectory directory, String name) {
    @Nullable MemoryNode node() {
      return directory.entries.get(name);
    }
  }

  /** Returns the disk as it may be after a loss of power now; this one stays as it is. */
  public synchronized MemoryStorage crash(RandomGenerator random) {
    return new MemoryStorage(new PowerLoss(random).of(root));
  }

  /** Returns the disk as another process would find it now; this one stays as it is. */
  public synchronized MemoryStorage copy() {
    return new MemoryStorage(root.copy());
  }

  /** Returns how many readers and writers are open. */
  public synchronized int openFiles() {
    return openFiles;
  }

  /** Returns how many files were open at a time at the most. */
  public synchronized int openFilesHighest() {
    return openFilesHighest;
  }

  /** Returns the bytes of a file. */
  public synchronized byte[] bytes(String name) throws IOException {
    MemoryFile file = file(name);
    return Arrays.copyOf(file.bytes, file.length);
  }

  /** Gives a file other bytes, or creates it, durably, as a fault of the device would. */
  public synchronized void setBytes(String name, byte[] bytes) throws IOException {
    Place place = place(name);
    MemoryFile file = new MemoryFile();
    file.append(ByteBuffer.wrap(bytes));
    file.sync();
    place.directory.entries.put(place.name, file);
    place.directory.earlier.remove(place.name);
  }

  /** Flips the lowest bit of a byte of a file, durably, as a fault of the device would. */
  public synchronized void flip(String name, int offset) throws IOException {
    byte[] bytes = bytes(name);
    bytes[offset] ^= 1;
    setBytes(name, bytes);
  }

  @Override
  public synchronized StorageWriter createFilled(String name, long bytes) throws IOException {
    StorageWriter writer = create(name);
    file(name).fill((int) bytes);
    return writer;
  }

  @Override
  public synchronized StorageWriter create(String name) throws IOException {
    Place place = freePlace(name);
    MemoryFile file = new MemoryFile();
    place.directory.set(place.name, file);
    openFiles++;
    openFilesHighest = Math.max(openFilesHighest, openFiles);
    return new Writer(file);
  }

  @Override
  public synchronized StorageReader open(String name) throws IOException {
    MemoryFile file = file(name);
    openFiles++;
    openFilesHighest = Math.max(openFilesHighest, openFiles);
    return new Reader(name, file);
  }

  @Override
  public synchronized boolean exists(String name) {
    return find(name) != null;
  }

  @Override
  public synchronized boolean isDirectory(String name) {
    return find(name) instanceof MemoryDirectory;
  }

  @Override
  public synchronized long size(String name) throws IOException {
    return file(name).length;
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    return List.copyOf(directory(directory).entries.keySet());
  }

  @Override
  public synchronized void delete(String name) throws IOException {
    file(name);
    Place place = place(name);
    place.directory.set(place.name, null);
  }

  @Override
  public synchronized void rename(String from, String to) throws IOException {
    MemoryFile file = file(from);
    Place target = place(to);
    Place source = place(from);
    source.directory.set(source.name, null);
    target.directory.set(target.name, file);
  }

  @Override
  public void linkTo(String name, Storage target, String targetName) throws IOException {
    if (target instanceof MemoryStorage other) {
      MemoryFile file;
      synchronized (this) {
        file = file(name);
      }
      other.addLink(targetName, file);
    } else {
      copyTo(name, target, targetName);
    }
  }

  private synchronized void addLink(String name, MemoryFile file) throws IOException {
    Place place = freePlace(name);
    place.directory.set(place.name, file);
  }

  @Override
  public synchronized void createDirectories(String directory) throws IOException {
    StringBuilder path = new StringBuilder();
    for (String part : parts(directory)) {
      path.append(path.isEmpty() ? "" : "/").append(part);
      Place place = place(path.toString());
      if (place.node() == null) {
        place.directory.set(place.name, new MemoryDirectory());
      } else if (!(place.node() instanceof MemoryDirectory)) {
        throw new FileAlreadyExistsException(path(directory));
      }
    }
  }

  @Override
  public synchronized void sync(String name) throws IOException {
    file(name).sync();
  }

  @Override
  public synchronized void syncDirectory(String directory) throws IOException {
    directory(directory).earlier.clear();
  }

  @Override
  public synchronized Closeable lock(String name) throws IOException {
    if (!locks.add(name)) {
      throw new DatabaseLockedException(path(""), "in this process");
    }
    if (!exists(name)) {
      create(name).close();
    }
    AtomicBoolean closed = new AtomicBoolean();
    return () -> {
      if (closed.compareAndSet(false, true)) {
        unlock(name);
      }
    };
  }

  private synchronized void unlock(String name) {
    locks.remove(name);
  }

  @Override
  public long availableBytes() {
    return CAPACITY_BYTES;
  }

  @Override
  public String path(String name) {
    parts(name);
    return name.isEmpty() ? "/memory" : "/memory/" + name;
  }

  private Place place(String name) throws NoSuchFileException {
    int slash = name.lastIndexOf('/');
    String parent = slash < 0 ? "" : name.substring(0, slash);
    return new Place(directory(parent), name.substring(slash + 1));
  }

  private Place freePlace(String name) throws IOException {
    Place place = place(name);
    if (place.node() != null) {
      throw new FileAlreadyExistsException(path(name));
    }
    return place;
  }

  private MemoryDirectory directory(String name) throws NoSuchFileException {
    if (find(name) instanceof MemoryDirectory directory) {
      return directory;
    }
    throw new NoSuchFileException(path(name));
  }

  private MemoryFile file(String name) throws NoSuchFileException {
    if (find(name) instanceof MemoryFile file) {
      return file;
    }
    throw new NoSuchFileException(path(name));
  }

  private @Nullable MemoryNode find(String name) {
    MemoryNode node = root;
    for (String part : parts(name)) {
      node = node instanceof MemoryDirectory directory ? directory.entries.get(part) : null;
    }
    return node;
  }

  private static List<String> parts(String name) {
    if (name.isEmpty()) {
      return List.of();
    }
    List<String> parts = List.of(name.split("/", -1));
    if (parts.contains("..") || parts.contains("")) {
      throw new IllegalArgumentException(name + " leads out of the disk");
    }
    return parts;
  }

  private final class Writer implements StorageWriter {
    private final MemoryFile file;
    private boolean closed;

    Writer(MemoryFile file) {
      this.file = file;
    }

    @Override
    public void append(ByteBuffer... buffers) throws IOException {
      synchronized (MemoryStorage.this) {
        checkOpen(closed);
        for (ByteBuffer buffer : buffers) {
          file.append(buffer);
        }
      }
    }

    @Override
    public long position() {
      synchronized (MemoryStorage.this) {
        return file.appended;
      }
    }

    @Override
    public void sync() throws IOException {
      synchronized (MemoryStorage.this) {
        checkOpen(closed);
        file.sync();
      }
    }

    @Override
    public void close() {
      synchronized (MemoryStorage.this) {
        if (!closed && file.synced != null) {
          file.cut();
        }
        openFiles -= closed ? 0 : 1;
        closed = true;
      }
    }
  }

  private final class Reader implements StorageReader {
    private final String name;
    private final MemoryFile file;
    private boolean closed;

    Reader(String name, MemoryFile file) {
      this.name = name;
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      synchronized (MemoryStorage.this) {
        checkOpen(closed);
        return file.length;
      }
    }

    @Override
    public void readFully(ByteBuffer target, long position) throws IOException {
      synchronized (MemoryStorage.this) {
        checkOpen(closed);
        if (target.remaining() > file.length - position) {
          throw new EOFException(path(name) + " ends at offset " + file.length);
        }
        file.read((int) position, target);
      }
    }

    @Override
    public void close() {
      synchronized (MemoryStorage.this) {
        openFiles -= closed ? 0 : 1;
        closed = true;
      }
    }
  }

  private static void checkOpen(boolean closed) throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }
}
