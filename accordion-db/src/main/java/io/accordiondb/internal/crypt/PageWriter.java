// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Seals a file page by page. The first sync ends the file, because the last page is shorter and
 * could not be sealed again with more bytes. Not thread-safe.
 */
final class PageWriter implements StorageWriter {
  private static final int PAGES_AT_ONCE = 32;

  private final StorageWriter file;
  private final FrameCipher cipher;
  private final ByteBuffer page = ByteBuffer.allocate(Pages.PLAIN_BYTES);
  private ByteBuffer sealed = ByteBuffer.allocate(Pages.SEALED_BYTES);
  private long pageNumber;
  private long position;
  private boolean ended;

  PageWriter(StorageWriter file, FrameCipher cipher) {
    this.file = file;
    this.cipher = cipher;
  }

  @Override
  public void append(ByteBuffer... buffers) throws IOException {
    if (ended) {
      throw new IOException("an encrypted file takes no more bytes after a sync or a failure");
    }
    // Set until the append succeeds, because a partly written page must not be sealed a second
    // time.
    ended = true;
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining()) {
        int bytes = Math.min(page.remaining(), buffer.remaining());
        page.put(page.position(), buffer, buffer.position(), bytes);
        page.position(page.position() + bytes);
        buffer.position(buffer.position() + bytes);
        position += bytes;
        if (!page.hasRemaining()) {
          sealPage();
        }
      }
    }
    ended = false;
  }

  private void sealPage() throws IOException {
    cipher.seal(pageNumber++, page.flip(), sealed);
    page.clear();
    if (sealed.remaining() < Pages.SEALED_BYTES) {
      handOver();
      // Start small, because most files of a small database have one or two pages.
      if (sealed.capacity() == Pages.SEALED_BYTES) {
        sealed = ByteBuffer.allocate(PAGES_AT_ONCE * Pages.SEALED_BYTES);
      }
    }
  }

  private void handOver() throws IOException {
    file.append(sealed.flip());
    sealed.clear();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    end();
    file.sync();
  }

  private void end() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    if (page.position() > 0) {
      sealPage();
    }
    handOver();
  }

  @Override
  public void close() throws IOException {
    try (file) {
      end();
    }
  }
}
