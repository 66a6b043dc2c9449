// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.storage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PositionalFileTest {
  /** The operating system says only what is wrong, not with which file. */
  @Test
  void namesTheFileForWhichThereIsNoRoom() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    try (PositionalFile file = PositionalFile.open(full, Set.of(StandardOpenOption.WRITE))) {
      assertThatThrownBy(() -> file.write(ByteBuffer.allocate(1), 0))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("/dev/full: No space left on device");
    }
  }

  /** A file server may have no locks. */
  @Test
  void namesTheFileForWhichThereIsNoLock() throws IOException {
    try (PositionalFile file = new PositionalFile(Path.of("LOCK"), new ChannelWithoutLocks())) {
      assertThatThrownBy(() -> file.tryLock(0, false))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("LOCK: No locks available");
    }
  }

  private static final class ChannelWithoutLocks extends AsynchronousFileChannel {
    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
      throw new IOException("No locks available");
    }

    @Override
    public <A> void lock(
        long position,
        long size,
        boolean shared,
        A attachment,
        CompletionHandler<FileLock, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void read(
        ByteBuffer target,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> read(ByteBuffer target, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <A> void write(
        ByteBuffer source,
        long position,
        A attachment,
        CompletionHandler<Integer, ? super A> handler) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Future<Integer> write(ByteBuffer source, long position) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long size() {
      return 0;
    }

    @Override
    public AsynchronousFileChannel truncate(long size) {
      return this;
    }

    @Override
    public void force(boolean metadata) {}

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
