// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Versions of one column, which come newest first and go oldest first. If they take more memory
 * than a bound, most of them wait in a temporary file, which closing deletes. Not thread-safe.
 */
final class ReversedVersions implements Closeable {
  /** About what an entry of the list takes, without its bytes. */
  private static final int ENTRY_BYTES = 100;

  private static final int HEADER_BYTES = Long.BYTES + 2 * Integer.BYTES;

  private final int bytesMax;
  private final List<Version> newest = new ArrayList<>();

  /** Where each part of the file ends; a part is what the memory held at once. */
  private final List<Long> ends = new ArrayList<>();

  private @Nullable FileChannel file;
  private int bytes;

  /** A version of the column. The arrays are not copied. */
  record Version(long timestamp, byte[] value, byte[] tags) {
    private int length() {
      return HEADER_BYTES + value.length + tags.length;
    }
  }

  /** Takes versions. */
  interface Target {
    void accept(Version version) throws IOException;
  }

  /**
   * Creates an empty list.
   *
   * @param bytesMax bytes of memory after which versions go to the file
   */
  ReversedVersions(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Adds a version, which is older than those before it. */
  void add(Version version) throws IOException {
    newest.add(version);
    bytes += ENTRY_BYTES + version.length();
    if (bytes >= bytesMax) {
      spill();
    }
  }

  private void spill() throws IOException {
    FileChannel target = file;
    if (target == null) {
      target =
          FileChannel.open(
              Files.createTempFile("accordion-import-", ".versions"),
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
      file = target;
    }
    long at = end();
    ByteBuffer part = ByteBuffer.allocate(newest.stream().mapToInt(Version::length).sum());
    for (Version each : newest) {
      part.putLong(each.timestamp).putInt(each.value.length).putInt(each.tags.length);
      part.put(each.value).put(each.tags);
    }
    part.flip();
    while (part.hasRemaining()) {
      at += target.write(part, at);
    }
    ends.add(at);
    newest.clear();
    bytes = 0;
  }

  private long end() {
    return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
  }

  /** Hands over all versions, the oldest first, and is empty then. */
  void drain(Target target) throws IOException {
    drainMemory(target);
    while (!ends.isEmpty()) {
      long to = ends.remove(ends.size() - 1);
      read(end(), to);
      drainMemory(target);
    }
    bytes = 0;
  }

  private void drainMemory(Target target) throws IOException {
    for (int i = newest.size() - 1; i >= 0; i--) {
      target.accept(newest.get(i));
    }
    newest.clear();
  }

  private void read(long from, long to) throws IOException {
    if (file == null) {
      throw new IllegalStateException("no version is in a file");
    }
    ByteBuffer part = ByteBuffer.allocate(Math.toIntExact(to - from));
    while (part.hasRemaining()) {
      if (file.read(part, from + part.position()) < 0) {
        throw new EOFException("a temporary file of the import has become shorter than " + to);
      }
    }
    part.flip();
    while (part.hasRemaining()) {
      long timestamp = part.getLong();
      byte[] value = new byte[part.getInt()];
      byte[] tags = new byte[part.getInt()];
      part.get(value).get(tags);
      newest.add(new Version(timestamp, value, tags));
    }
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
