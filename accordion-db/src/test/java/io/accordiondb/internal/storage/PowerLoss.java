// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a loss of power may leave of a {@link MemoryStorage}: of each file the synced bytes, then a
 * part of the others, then perhaps zeros or noise; of each name any of the states that it had since
 * its directory was synced. Belongs to one thread.
 */
final class PowerLoss {
  /** So many bytes of a filled file reach the device together. */
  private static final int PART_BYTES = 64;

  private final RandomGenerator random;

  /** What is left of each file, which may have had several names. */
  private final Map<MemoryNode, MemoryNode> copies = new IdentityHashMap<>();

  PowerLoss(RandomGenerator random) {
    this.random = random;
  }

  /** Returns what may be left of a directory, which stays as it is. */
  MemoryDirectory of(MemoryDirectory directory) {
    MemoryDirectory left = new MemoryDirectory();
    leave(left, directory);
    return left;
  }

  /** Fills an empty directory with what may be left of another. */
  private void leave(MemoryDirectory target, MemoryDirectory source) {
    Map<String, @Nullable MemoryNode> survivors = new TreeMap<>(source.entries);
    source.earlier.forEach(
        (name, states) -> {
          int state = random.nextInt(states.size() + 1);
          if (state < states.size()) {
            survivors.put(name, states.get(state));
          }
        });
    survivors.forEach(
        (name, node) -> {
          if (node instanceof MemoryDirectory directory) {
            MemoryDirectory copy = new MemoryDirectory();
            target.entries.put(name, copy);
            leave(copy, directory);
          } else if (node instanceof MemoryFile file) {
            target.entries.put(name, copies.computeIfAbsent(file, key -> torn(file)));
          }
        });
  }

  private MemoryFile torn(MemoryFile file) {
    MemoryFile copy = file.copy();
    byte[] synced = file.synced;
    if (synced != null) {
      tearParts(copy, synced);
    } else if (copy.durableLength < copy.length) {
      tear(copy, copy.durableLength);
    }
    copy.durableLength = copy.length;
    return copy;
  }

  /** Keeps, or not, each part of a filled file that has changed since it was synced. */
  private void tearParts(MemoryFile file, byte[] synced) {
    // Nothing but zeros follows.
    byte[] before = Arrays.copyOf(synced, Math.max(file.appended, synced.length));
    file.bytes = Arrays.copyOf(file.bytes, before.length);
    file.length =
        switch (random.nextInt(4)) {
          case 0 -> file.durableLength;
          case 1 -> Math.max(file.length, file.durableLength);
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
    file.bytes = Arrays.copyOf(file.bytes, Math.min(file.bytes.length, file.length));
    file.appended = file.bytes.length;
    file.synced = file.bytes.clone();
  }

  /** Keeps a part of the bytes that were not synced; what follows is gone, zero or noise. */
  private void tear(MemoryFile file, int durableLength) {
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
}
