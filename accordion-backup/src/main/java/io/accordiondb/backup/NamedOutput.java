// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Writes a file, and names it if that fails: the operating system says only what is wrong. */
final class NamedOutput extends FilterOutputStream {
  private final Path file;

  private NamedOutput(OutputStream out, Path file) {
    super(out);
    this.file = file;
  }

  /** Returns what writes to a channel, which the caller closes. */
  static OutputStream of(FileChannel channel, Path file) {
    return new NamedOutput(Channels.newOutputStream(channel), file);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (ClosedByInterruptException e) {
      // The file is not to blame.
      throw e;
    } catch (IOException e) {
      FileSystemException named =
          new FileSystemException(file.toString(), null, String.valueOf(e.getMessage()));
      named.initCause(e);
      throw named;
    }
  }
}
