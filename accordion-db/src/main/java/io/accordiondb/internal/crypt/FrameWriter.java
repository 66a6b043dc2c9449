// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Seals each append as a frame of its own and hands it to the operating system before it returns.
 * Not thread-safe, except for {@link #sync}.
 *
 * <p>A failed append may leave a part of its frame. The next append follows that part, under
 * another number and thus another nonce; {@link FrameIndex} skips the part.
 */
final class FrameWriter implements StorageWriter {
  private final StorageWriter file;
  private final FrameCipher cipher;
  private final long salt;

  /** On the heap, where sealing is faster. */
  private ByteBuffer sealed = ByteBuffer.allocate(0);

  /**
   * A sealed frame on its way to the file. The JDK would copy it outside the heap as well, but
   * allocate memory for that in the middle of an append, which must not fail for lack of it.
   */
  private final ByteBuffer copy = ByteBuffer.allocateDirect(Frame.SEALED_BYTES_MAX);

  private long number;
  private long position;

  FrameWriter(StorageWriter file, FrameCipher cipher, long salt) {
    this.file = file;
    this.cipher = cipher;
    this.salt = salt;
  }

  @Override
  public void append(ByteBuffer... buffers) throws IOException {
    for (ByteBuffer buffer : buffers) {
      while (buffer.hasRemaining()) {
        int bytes = Math.min(buffer.remaining(), Frame.BYTES_MAX);
        seal(buffer.duplicate().limit(buffer.position() + bytes));
        file.append(copy.clear().put(sealed).flip());
        buffer.position(buffer.position() + bytes);
        position += bytes;
      }
    }
  }

  private void seal(ByteBuffer bytes) {
    Frame frame = new Frame(position, bytes.remaining(), number++, 0);
    if (sealed.capacity() < frame.end()) {
      sealed = ByteBuffer.allocate((int) frame.end());
    }
    sealed.clear();
    frame.putHeader(salt, sealed);
    cipher.seal(frame.number(), bytes, sealed);
    sealed.flip();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void sync() throws IOException {
    file.sync();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
