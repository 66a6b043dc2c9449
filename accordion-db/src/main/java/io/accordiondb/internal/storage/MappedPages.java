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
  /** At most the size of a page of memory. */
  static final int PAGE_BYTES = 4096;

  /** As many as the JDK copies by the routine that may fault. */
  static final int PROBE_BYTES = 8;

  private MappedPages() {}

  /** Maps a file; an interrupt of the thread, which would close the channel, is put off. */
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

  /** Returns where the page of an offset ends, or what reaches into it. */
  static int pageEnd(int offset, int end) {
    return offset + Math.min(end - offset, PAGE_BYTES - offset % PAGE_BYTES);
  }

  /**
   * Returns whether a mapping has some bytes, of one page. They are copied over their complements,
   * which a copy from a page that cannot be read leaves as they were.
   *
   * @param bytes how many, at most {@link #PROBE_BYTES}
   * @param probe an array of {@link #PROBE_BYTES}
   */
  static boolean has(
      ByteBuffer mapped, int at, ByteBuffer expected, int expectedAt, int bytes, byte[] probe) {
    // Bytes before them are copied, too, where the mapping ends within a probe.
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
