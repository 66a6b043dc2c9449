// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.security.DigestInputStream;

/**
 * Reads a file whose SHA-256 is known, and fails before its last byte if the file is no longer the
 * same. So no target ever has all bytes of an object that its name does not describe: later backups
 * would use it. Belongs to one thread.
 */
final class UnchangedInput extends FilterInputStream {
  private final DigestInputStream digested;
  private final FileEntry expected;
  private final Path file;
  private long left;

  /**
   * Creates a stream.
   *
   * @param in has the file from its beginning
   */
  UnchangedInput(InputStream in, FileEntry expected, Path file) {
    super(FileDigest.digested(in));
    this.digested = (DigestInputStream) this.in;
    this.expected = expected;
    this.file = file;
    this.left = expected.bytes();
  }

  @Override
  public int read() throws IOException {
    int read = super.read();
    note(read < 0 ? read : 1);
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = super.read(bytes, offset, length);
    note(read);
    return read;
  }

  private void note(int read) throws IOException {
    if (read <= 0) {
      return;
    }
    left -= read;
    if (left < 0 || (left == 0 && !FileDigest.hexOf(digested).equals(expected.sha256()))) {
      throw new IOException(file + " changed while it was copied; make the backup again");
    }
  }

  @Override
  public long skip(long bytes) {
    return 0; // What is not read is not digested.
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
