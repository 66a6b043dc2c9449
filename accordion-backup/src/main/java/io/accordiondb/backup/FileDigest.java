// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the digests that identify the contents of files. */
final class FileDigest {
  private static final int BEGINNING_BYTES = 4 << 10;

  /** A sorted table ends with its index, which depends on all of its blocks. */
  private static final int END_BYTES = 64 << 10;

  private FileDigest() {}

  static String sha256(byte[] bytes) {
    return hex(newDigest().digest(bytes));
  }

  static String sha256(Path file, Throttle throttle) throws IOException {
    try (InputStream in = throttle.limit(Files.newInputStream(file))) {
      DigestInputStream digested = digested(in);
      digested.transferTo(OutputStream.nullOutputStream());
      return hexOf(digested);
    }
  }

  /** Returns a stream that digests what is read of another one; see {@link #hexOf}. */
  static DigestInputStream digested(InputStream in) {
    return new DigestInputStream(in, newDigest());
  }

  /** Returns the SHA-256 of all that was read. */
  static String hexOf(DigestInputStream in) {
    return hex(in.getMessageDigest().digest());
  }

  /** Returns a digest of a file's length, time of change, beginning and end. */
  static String fingerprint(Path file) throws IOException {
    MessageDigest digest = newDigest();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      long size = channel.size();
      digest.update(ByteBuffer.allocate(Long.BYTES).putLong(size).flip());
      // A restored database may have written another file of this name, with the same ends.
      digest.update(Files.getLastModifiedTime(file).toString().getBytes(UTF_8));
      update(digest, channel, 0, BEGINNING_BYTES);
      update(digest, channel, Math.max(0, size - END_BYTES), END_BYTES);
    }
    return hex(digest.digest());
  }

  private static void update(MessageDigest digest, FileChannel channel, long offset, int bytes)
      throws IOException {
    ByteBuffer part = ByteBuffer.allocate(bytes);
    while (part.hasRemaining() && channel.read(part, offset + part.position()) >= 0) {}
    digest.update(part.flip());
  }

  private static String hex(byte[] digest) {
    return HexFormat.of().formatHex(digest);
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256, which each must have", e);
    }
  }
}
