// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.accordiondb.FormatVersionException;
import io.accordiondb.KeyProvider;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The header of an encrypted file: its layout and its wrapped data key. Immutable; docs/FORMATS.md
 * describes the bytes.
 *
 * @param layout the layout of the rest of the file
 * @param salt random bytes; part of the checksums of frames, so that frames of other files do not
 *     match
 * @param keyId names the key that has wrapped the data key
 * @param bytes the length of the header
 */
record EncryptionHeader(Layout layout, long salt, String keyId, byte[] wrapped, int bytes) {
  /** "ACCORENC" as ASCII. */
  static final long MAGIC = 0x4143_434F_5245_4E43L;

  private static final int VERSION = 1;
  private static final int FIXED_BYTES = Long.BYTES + 4 + Long.BYTES + 2 + 2 + 4;
  private static final int BYTES_MAX =
      FIXED_BYTES + KeyProvider.KEY_ID_BYTES_MAX + KeyProvider.WRAPPED_BYTES_MAX;

  /** The layout of the frames of a file. */
  enum Layout {
    /** All frames but the last are of one length. */
    PAGES,
    /** Each append is a frame, which states its offset in the file. */
    APPENDS
  }

  static EncryptionHeader of(Layout layout, long salt, String keyId, byte[] wrapped) {
    int keyIdBytes = keyId.getBytes(UTF_8).length;
    if (keyIdBytes > KeyProvider.KEY_ID_BYTES_MAX
        || wrapped.length > KeyProvider.WRAPPED_BYTES_MAX) {
      throw new IllegalArgumentException(
          "the name of the key has " + keyIdBytes + " bytes, the wrapped key " + wrapped.length);
    }
    return new EncryptionHeader(
        layout, salt, keyId, wrapped, FIXED_BYTES + keyIdBytes + wrapped.length);
  }

  ByteBuffer encode() {
    byte[] name = keyId.getBytes(UTF_8);
    ByteBuffer encoded = ByteBuffer.allocate(bytes);
    encoded.putLong(MAGIC).putShort((short) VERSION).putShort((short) layout.ordinal());
    encoded.putLong(salt);
    encoded.putShort((short) name.length).put(name);
    encoded.putShort((short) wrapped.length).put(wrapped);
    encoded.putInt(crcOf(encoded.duplicate().flip()));
    return encoded.flip();
  }

  private static int crcOf(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }

  /** Returns whether a file begins as encrypted files do. */
  static boolean isEncrypted(StorageReader file) throws IOException {
    if (file.size() < Long.BYTES) {
      return false;
    }
    ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
    file.readFully(magic, 0);
    return magic.getLong(0) == MAGIC;
  }

  /** Returns the header of an encrypted file; null if the header is damaged or incomplete. */
  static @Nullable EncryptionHeader read(StorageReader file, String path) throws IOException {
    ByteBuffer head = ByteBuffer.allocate((int) Math.min(BYTES_MAX, file.size()));
    file.readFully(head, 0);
    head.flip();
    if (head.remaining() < FIXED_BYTES) {
      return null;
    }
    head.position(Long.BYTES);
    int version = head.getShort();
    int layout = head.getShort();
    long salt = head.getLong();
    byte[] name = bytes(head);
    byte[] wrapped = name == null ? null : bytes(head);
    if (wrapped == null || head.remaining() < Integer.BYTES) {
      return null;
    }
    int end = head.position();
    if (head.getInt() != crcOf(head.duplicate().position(0).limit(end))) {
      return null;
    }
    if (version != VERSION || layout < 0 || layout >= Layout.values().length) {
      throw new FormatVersionException(path, version, VERSION);
    }
    return new EncryptionHeader(
        Layout.values()[layout], salt, new String(name, UTF_8), wrapped, end + Integer.BYTES);
  }

  private static byte @Nullable [] bytes(ByteBuffer head) {
    if (head.remaining() < Short.BYTES) {
      return null;
    }
    int length = head.getShort();
    if (length < 0 || length > head.remaining()) {
      return null;
    }
    byte[] bytes = new byte[length];
    head.get(bytes);
    return bytes;
  }
}
