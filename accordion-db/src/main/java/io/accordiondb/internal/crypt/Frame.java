// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A frame of a file that is appended to. Immutable.
 *
 * @param start offset of its first byte in the decrypted file
 * @param length number of decrypted bytes in it
 * @param number its number; each append uses a new one, even after a failed append
 * @param at its offset in the encrypted file
 */
record Frame(long start, int length, long number, long at) {
  static final int HEADER_BYTES = Long.BYTES + Integer.BYTES + Long.BYTES + Integer.BYTES;

  /** Most bytes in a frame. */
  static final int BYTES_MAX = 64 << 10;

  /** Most bytes that a frame takes in the encrypted file. */
  static final int SEALED_BYTES_MAX = HEADER_BYTES + BYTES_MAX + FrameCipher.TAG_BYTES;

  private static final int CRC_AT = HEADER_BYTES - Integer.BYTES;

  /** Returns where the next frame may begin. */
  long end() {
    return at + HEADER_BYTES + length + FrameCipher.TAG_BYTES;
  }

  /** Puts the header; the sealed bytes follow it. */
  void putHeader(long salt, ByteBuffer target) {
    int begin = target.position();
    target.putLong(start).putInt(length).putLong(number);
    target.putInt(crcOf(salt, target, begin));
  }

  /** Returns the frame whose header is in a buffer, or null if there is none. */
  static @Nullable Frame read(long salt, ByteBuffer source, int offset, long at) {
    long start = source.getLong(offset);
    int length = source.getInt(offset + Long.BYTES);
    // Sealed bytes are more than their content, so no frame begins behind its own place.
    if (start < 0
        || start > at
        || length <= 0
        || length > BYTES_MAX
        || source.getInt(offset + CRC_AT) != crcOf(salt, source, offset)) {
      return null;
    }
    return new Frame(start, length, source.getLong(offset + Long.BYTES + Integer.BYTES), at);
  }

  private static int crcOf(long salt, ByteBuffer bytes, int offset) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, salt));
    crc.update(bytes.duplicate().limit(offset + CRC_AT).position(offset));
    return (int) crc.getValue();
  }
}
