// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import io.accordiondb.internal.function.IoFunction;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;

/**
 * The functions on mappings and their pages that {@link MappedFile} and {@link MappedReader} share.
 */
final class MappedPages {
  /** A page of memory has at least this size. */
  static final int PAGE_BYTES = 4096;

  /** The smallest copy for which the JDK uses the routine that may report a fault. */
  static final int PROBE_BYTES = 8;

  private MappedPages() {}

  /**
   * Maps a file. An interrupt of the thread, which would close the channel, takes effect only
   * afterwards.
   */
  static <T> T map(Path path, Set<? extends OpenOption> options, IoFunction<FileChannel, T> mapping)
      throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try (FileChannel channel = FileChannel.open(path, options)) {
          return mapping.apply(channel);
        } catch (ClosedByInterruptException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns the end of the page of an offset, or {@code end} if that comes first. */
  static int pageEnd(int offset, int end) {
    return offset + Math.min(end - offset, PAGE_BYTES - offset % PAGE_BYTES);
  }

  /**
   * Returns whether a mapping holds the given bytes, which are in one page. It copies the bytes of
   * the mapping over the complements of the given ones: a copy from a page that cannot be read
   * leaves the complements unchanged.
   *
   * @param bytes number of bytes, at most {@link #PROBE_BYTES}
   * @param probe an array of {@link #PROBE_BYTES}
   */
  static boolean has(
      ByteBuffer mapped, int at, ByteBuffer expected, int expectedAt, int bytes, byte[] probe) {
    // If the mapping ends within a probe, the probe begins earlier.
    int start = Math.min(at, mapped.capacity() - PROBE_BYTES);
    int shift = at - start;
    for (int i = 0; i < bytes; i++) {
      probe[shift + i] = (byte) ~expected.get(expectedAt + i);
    }
    mapped.get(start, probe);
    for (int i = 0; i < bytes; i++) {
      if (probe[shift + i] != expected.get(expectedAt + i)) {
        return false;
      }
    }
    return true;
  }
}
