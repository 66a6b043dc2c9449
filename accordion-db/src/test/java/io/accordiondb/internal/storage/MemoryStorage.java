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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A simulated disk that knows what of it is durable. Thread-safe; deterministic.
 *
 * <p>{@link #crash} gives the disk as it may be after a loss of power: of each file the synced
 * bytes, then a part of the others, then perhaps zeros or noise; of a filled file any of the
 * sectors that have changed since it was synced; and for each name that has changed since its
 * directory was synced, any of the states that it had since. {@link #copy} gives the disk as it is
 * after the death of the process alone, with what is not durable yet.
 */
public final class MemoryStorage implements Storage {
  private static final long CAPACITY_BYTES = 1L << 40;

  /** So many bytes of a filled file reach the device together. */
  private static final int PART_BYTES = 64;

  private final Directory root = new Directory();
  private final Set<String> locks = new HashSet<>();
  private int openFiles;
  private int openFilesHighest;

  /** A file or a directory; a file may stand under two names after a crash in a rename. */
  private sealed interface Node {}

  private static final class FileNode implements Node {
    byte[] bytes = new byte[64];
    int length;
    int durableLength;

    /** How much was appended; the length, unless the file is filled. */
    int appended;

    /** Of a filled file, what was synced, up to the durable length with zeros. */
    byte @Nullable [] synced;

    void append(ByteBuffer buffer) {
      int added = buffer.remaining();
      if (appended + added > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(appended + added, 2 * bytes.length));
      }
      buffer.get(bytes, appended, added);
      appended += added;
      length = Math.max(length, appended);
    }

    void fill(int newLength) {
      bytes = new byte[newLength];
      length = newLength;
      synced = new byte[0];
    }

    /** Cuts off with what a filled file was filled. */
    void cut() {
      Arrays.fill(bytes, appended, length, (byte) 0);
      length = appended;
    }

    void sync() {
      durableLength = length;
      if (synced != null) {
        synced = Arrays.copyOf(bytes, appended);
      }
    }

    FileNode copy() {
      FileNode copy = new FileNode();
      copy.bytes = bytes.clone();
      copy.length = length;
      copy.durableLength = durableLength;
      copy.appended = appended;
      copy.synced = synced;
      return copy;
    }
  }

  private static final class Directory implements Node {
    final Map<String, Node> entries = new TreeMap<>();

    /** The states of each name since the last sync, before the present one, oldest first. */
    final Map<String, List<@Nullable Node>> earlier = new TreeMap<>();

    void set(String name, @Nullable Node node) {
      earlier.computeIfAbsent(name, key -> new ArrayList<>()).add(entries.get(name));
      if (node == null) {
        entries.remove(name);
      } else {
        entries.put(name, node);
      }
    }
  }

  /** Where a name leads: the directory that has or would have it, and its last part. */
  private record Place(Directory directory, String name) {
    @Nullable Node node() {
      return directory.entries.get(name);
    }
  }

  /** Returns the disk as it may be after a loss of power now; this one stays as it is. */
  public synchronized MemoryStorage crash(RandomGenerator random) {
    MemoryStorage crashed = new MemoryStorage();
    crashInto(crashed.root, root, random, new IdentityHashMap<>());
    return crashed;
  }

  /** Returns the disk as another process would find it now; this one stays as it is. */
  public synchronized MemoryStorage copy() {
    MemoryStorage copy = new MemoryStorage();
    copyInto(copy.root, root, new IdentityHashMap<>());
    return copy;
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
    FileNode file = file(name);
    return Arrays.copyOf(file.bytes, file.length);
  }

  /** Gives a file other bytes, or creates it, durably, as a fault of the device would. */
  public synchronized void setBytes(String name, byte[] bytes) throws IOException {
    Place place = place(name);
    FileNode file = new FileNode();
    file.append(ByteBuffer.wrap(bytes));
    file.sync();
    place.directory.entries.put(place.name, file);
    place.directory.earlier.remove(place.name);
  }

  @Override
  public synchronized StorageWriter createFilled(String name, long bytes) throws IOException {
    StorageWriter writer = create(name);
    file(name).fill((int) bytes);
    return writer;
  }

  @Override
  public synchronized StorageWriter create(String name) throws IOException {
    Place place = place(name);
    if (place.node() != null) {
      throw new FileAlreadyExistsException(path(name));
    }
    FileNode file = new FileNode();
    place.directory.set(place.name, file);
    openFiles++;
    openFilesHighest = Math.max(openFilesHighest, openFiles);
    return new Writer(file);
  }

  @Override
  public synchronized StorageReader open(String name) throws IOException {
    FileNode file = file(name);
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
    return find(name) instanceof Directory;
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
    FileNode file = file(from);
    Place target = place(to);
    Place source = place(from);
    source.directory.set(source.name, null);
    target.directory.set(target.name, file);
  }

  @Override
  public synchronized void createDirectories(String directory) throws IOException {
    StringBuilder path = new StringBuilder();
    for (String part : parts(directory)) {
      path.append(path.isEmpty() ? "" : "/").append(part);
      Place place = place(path.toString());
      if (place.node() == null) {
        place.directory.set(place.name, new Directory());
      } else if (!(place.node() instanceof Directory)) {
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

  private Directory directory(String name) throws NoSuchFileException {
    if (find(name) instanceof Directory directory) {
      return directory;
    }
    throw new NoSuchFileException(path(name));
  }

  private FileNode file(String name) throws NoSuchFileException {
    if (find(name) instanceof FileNode file) {
      return file;
    }
    throw new NoSuchFileException(path(name));
  }

  private @Nullable Node find(String name) {
    Node node = root;
    for (String part : parts(name)) {
      node = node instanceof Directory directory ? directory.entries.get(part) : null;
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

  private static void crashInto(
      Directory target, Directory source, RandomGenerator random, Map<Node, Node> copies) {
    Map<String, @Nullable Node> survivors = new TreeMap<>(source.entries);
    source.earlier.forEach(
        (name, states) -> {
          int state = random.nextInt(states.size() + 1);
          if (state < states.size()) {
            survivors.put(name, states.get(state));
          }
        });
    survivors.forEach(
        (name, node) -> {
          if (node instanceof Directory directory) {
            Directory copy = new Directory();
            target.entries.put(name, copy);
            crashInto(copy, directory, random, copies);
          } else if (node instanceof FileNode file) {
            target.entries.put(name, copies.computeIfAbsent(file, key -> torn(file, random)));
          }
        });
  }

  private static FileNode torn(FileNode file, RandomGenerator random) {
    FileNode copy = file.copy();
    byte[] synced = file.synced;
    if (synced != null) {
      tearParts(copy, synced, random);
    } else if (copy.durableLength < copy.length) {
      tear(copy, copy.durableLength, random);
    }
    copy.durableLength = copy.length;
    return copy;
  }

  private static void copyInto(Directory target, Directory source, Map<Node, Node> copies) {
    source.entries.forEach((name, node) -> target.entries.put(name, copyOf(node, copies)));
    source.earlier.forEach(
        (name, states) -> {
          List<@Nullable Node> copied = new ArrayList<>();
          states.forEach(node -> copied.add(node == null ? null : copyOf(node, copies)));
          target.earlier.put(name, copied);
        });
  }

  private static Node copyOf(Node node, Map<Node, Node> copies) {
    Node copy = copies.get(node);
    if (copy == null && node instanceof Directory directory) {
      Directory target = new Directory();
      copyInto(target, directory, copies);
      copy = target;
    } else if (copy == null) {
      copy = ((FileNode) node).copy();
    }
    copies.put(node, copy);
    return copy;
  }

  /** Keeps, or not, each part of a filled file that has changed since it was synced. */
  private static void tearParts(FileNode file, byte[] synced, RandomGenerator random) {
    byte[] before = Arrays.copyOf(synced, Math.max(file.length, file.durableLength));
    file.bytes = Arrays.copyOf(file.bytes, before.length);
    file.length =
        switch (random.nextInt(4)) {
          case 0 -> file.durableLength;
          case 1 -> before.length;
          default -> file.length;
        };
    int kept = random.nextInt(4);
    int keptTo = kept == 3 ? random.nextInt(file.length + 1) : 0;
    for (int from = 0; from < before.length; from += PART_BYTES) {
      int to = Math.min(from + PART_BYTES, before.length);
      if (Arrays.equals(file.bytes, from, to, before, from, to)) {
        continue;
      }
      boolean keeps =
          switch (kept) {
            case 0 -> false;
            case 1 -> true;
            case 2 -> random.nextBoolean();
            default -> from < keptTo;
          };
      for (int i = from; !keeps && i < to; i++) {
        boolean isNoise = kept == 3 && file.bytes[i] != before[i];
        file.bytes[i] = isNoise ? (byte) random.nextInt() : before[i];
      }
    }
    file.bytes = Arrays.copyOf(file.bytes, file.length);
    file.appended = file.length;
    file.synced = file.bytes.clone();
  }

  /** Keeps a part of the bytes that were not synced; what follows is gone, zero or noise. */
  private static void tear(FileNode file, int durableLength, RandomGenerator random) {
    int kept = random.nextInt(durableLength, file.length + 1);
    switch (random.nextInt(5)) {
      case 0 -> file.length = durableLength;
      case 1 -> file.length = kept;
      case 2 -> Arrays.fill(file.bytes, kept, file.length, (byte) 0);
      case 3 -> {
        for (int i = kept; i < file.length; i++) {
          file.bytes[i] = (byte) random.nextInt();
        }
      }
      default -> {
        // All of it has reached the device.
      }
    }
  }

  private final class Writer implements StorageWriter {
    private final FileNode file;
    private boolean closed;

    Writer(FileNode file) {
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
    private final FileNode file;
    private boolean closed;

    Reader(String name, FileNode file) {
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
        target.put(file.bytes, (int) position, target.remaining());
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
