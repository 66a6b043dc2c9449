// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;

/**
 * A part of a file that is mapped into memory, until {@link #close} ends the mapping.
 *
 * <p>The caller makes sure that no thread uses {@link #bytes} while or after it closes the mapping.
 * If {@link MappingCloser} has no means to end a mapping, the mapping ends when the garbage
 * collector finds the buffer unreachable.
 */
final class Mapping implements AutoCloseable {
  private final ByteBuffer bytes;
  private final AutoCloseable end;

  Mapping(ByteBuffer bytes, AutoCloseable end) {
    this.bytes = bytes;
    this.end = end;
  }

  /** Maps a part of the file of a channel. The mapping outlives the channel. */
  static Mapping map(FileChannel channel, MapMode mode, long start, long length)
      throws IOException {
    return MappingCloser.AVAILABLE.map(channel, mode, start, length);
  }

  /** Returns the mapped bytes, from the start of the mapped part. */
  ByteBuffer bytes() {
    return bytes;
  }

  @Override
  public void close() {
    try {
      end.close();
    } catch (Exception e) {
      throw new IllegalStateException("a mapping could not be ended", e);
    }
  }
}
