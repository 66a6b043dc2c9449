// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.internal.storage.StorageReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a file that {@link PageWriter} has sealed. Thread-safe. */
final class PageReader implements StorageReader {
  private final StorageReader file;
  private final FrameCipher cipher;
  private final int begin;
  private final String path;

  /**
   * Creates a reader, which owns the file.
   *
   * @param begin where the first page begins
   */
  PageReader(StorageReader file, FrameCipher cipher, int begin, String path) {
    this.file = file;
    this.cipher = cipher;
    this.begin = begin;
    this.path = path;
  }

  @Override
  public long size() throws IOException {
    return Pages.plainBytes(file.size() - begin);
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    if (!target.hasRemaining()) {
      return;
    }
    long end = position + target.remaining();
    if (end > size()) {
      throw new EOFException(path + " ends at offset " + size() + ", expected " + end);
    }
    long first = position / Pages.PLAIN_BYTES;
    long last = (end - 1) / Pages.PLAIN_BYTES;
    long from = begin + first * Pages.SEALED_BYTES;
    long to = Math.min(file.size(), begin + (last + 1) * Pages.SEALED_BYTES);
    ByteBuffer sealed = ByteBuffer.allocate((int) (to - from));
    file.readFully(sealed, from);
    ByteBuffer page = ByteBuffer.allocate(Pages.PLAIN_BYTES);
    int skipped = (int) (position % Pages.PLAIN_BYTES);
    for (long number = first; number <= last; number++) {
      int at = (int) (number - first) * Pages.SEALED_BYTES;
      sealed.limit(Math.min(sealed.capacity(), at + Pages.SEALED_BYTES)).position(at);
      page.clear();
      if (!cipher.open(number, sealed, page)) {
        Undeciphered.fill(page, sealed.limit() - at - FrameCipher.TAG_BYTES);
      }
      page.flip().position(skipped);
      skipped = 0;
      page.limit(Math.min(page.limit(), page.position() + target.remaining()));
      target.put(page);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
