// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.storage.StorageReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Reads a file that {@link FrameWriter} has written or is still writing. Thread-safe. */
final class FrameReader implements StorageReader {
  private final StorageReader file;
  private final FrameCipher cipher;
  private final String path;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final FrameIndex frames;

  /** The frame that was read last: records are read from front to back. */
  @GuardedBy("lock")
  private @Nullable Frame opened;

  @GuardedBy("lock")
  private ByteBuffer plain = ByteBuffer.allocate(0);

  /** Creates a reader, which owns the file. */
  FrameReader(StorageReader file, FrameCipher cipher, EncryptionHeader header, String path) {
    this.file = file;
    this.cipher = cipher;
    this.path = path;
    this.frames = new FrameIndex(file, cipher, header.salt(), header.bytes());
  }

  @Override
  public long size() throws IOException {
    lock.lock();
    try {
      return frames.plainBytes();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void readFully(ByteBuffer target, long position) throws IOException {
    lock.lock();
    try {
      long end = position + target.remaining();
      if (end > frames.plainBytes()) {
        throw new EOFException(path + " ends at offset " + frames.plainBytes() + ", not at " + end);
      }
      int index = frames.find(position);
      for (long at = position; at < end; at = end - target.remaining()) {
        if (index == frames.count()) {
          Undeciphered.fill(target, target.remaining());
          continue;
        }
        Frame frame = frames.get(index);
        if (at < frame.start()) {
          Undeciphered.fill(target, (int) (Math.min(end, frame.start()) - at));
          continue;
        }
        int from = (int) (at - frame.start());
        int bytes = (int) Math.min(end - at, frame.length() - from);
        target.put(plainOf(frame).limit(from + bytes).position(from));
        index++;
      }
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private ByteBuffer plainOf(Frame frame) throws IOException {
    if (!frame.equals(opened)) {
      opened = null;
      if (plain.capacity() < frame.length()) {
        plain = ByteBuffer.allocate(frame.length());
      }
      plain.clear();
      if (!cipher.open(frame.number(), frames.sealed(frame), plain)) {
        Undeciphered.fill(plain, frame.length());
      }
      opened = frame;
    }
    return plain.clear();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
