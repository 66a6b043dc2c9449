// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file of a {@link MemoryStorage}, and what of it is durable. It may stand under several names:
 * by links, also in other storages, or after a crash in a rename.
 */
final class MemoryFile implements MemoryNode {
  /** Zeros follow, up to the length. */
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
    length = newLength;
    synced = new byte[0];
  }

  /** Cuts off with what a filled file was filled. */
  void cut() {
    length = appended;
  }

  void read(int position, ByteBuffer target) {
    int there = Math.max(0, Math.min(target.remaining(), bytes.length - position));
    target.put(bytes, Math.min(position, bytes.length), there);
    target.put(new byte[target.remaining()]);
  }

  void sync() {
    durableLength = length;
    if (synced != null) {
      synced = Arrays.copyOf(bytes, appended);
    }
  }

  MemoryFile copy() {
    MemoryFile copy = new MemoryFile();
    copy.bytes = bytes.clone();
    copy.length = length;
    copy.durableLength = durableLength;
    copy.appended = appended;
    copy.synced = synced;
    return copy;
  }
}
