// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.crypt;

import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positions of the frames in a file that {@link FrameWriter} has written or is still writing.
 * Not thread-safe.
 *
 * <p>Frames follow each other. If no frame follows, an append failed, a power failure left a hole,
 * or the file is damaged: the index then searches for the next frame, from the end of the last
 * frame that can be opened. A frame replaces earlier ones that end behind its beginning; bytes
 * between frames and behind the last one are undeciphered. A file that is made for it could have a
 * search begin within each of its frames, so there is a limit to that.
 */
final class FrameIndex {
  private static final int WINDOW_BYTES = 16 << 10;

  /** Bytes that searches decipher at most, for each byte of the file and in addition. */
  private static final int DECIPHERED_SHARE_MAX = 16;

  private static final long DECIPHERED_BYTES_MAX = 16 << 20;

  private final StorageReader file;
  private final FrameCipher cipher;
  private final long salt;
  private final List<Frame> frames = new ArrayList<>();
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowAt = -1;

  /** The expected offset of the next frame. */
  private long next;

  /** The number of bytes behind the last frame: what there is of another one, if it were whole. */
  private long tailBytes;

  /** The number of bytes that searches have deciphered. */
  private long decipheredBytes;

  /** The length of the file at the last check. */
  private long seenBytes = -1;

  FrameIndex(StorageReader file, FrameCipher cipher, long salt, long begin) {
    this.file = file;
    this.cipher = cipher;
    this.salt = salt;
    this.next = begin;
  }

  /** Returns the number of decrypted bytes. */
  long plainBytes() throws IOException {
    look();
    return (frames.isEmpty() ? 0 : endOf(frames.get(frames.size() - 1))) + tailBytes;
  }

  private static long endOf(Frame frame) {
    return frame.start() + frame.length();
  }

  /** Returns the number of the first frame that ends behind an offset. */
  int find(long offset) {
    int low = 0;
    int high = frames.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (endOf(frames.get(middle)) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Frame get(int index) {
    return frames.get(index);
  }

  int count() {
    return frames.size();
  }

  /** Finds the frames that have been appended since the last call. */
  private void look() throws IOException {
    long bytes = file.size();
    if (bytes == seenBytes) {
      return;
    }
    windowAt = -1;
    addUntil(bytes);
    // Not before: if it fails, the next call goes on.
    seenBytes = bytes;
    // At least one, so that readers see that something was torn there. Not more than the frame will
    // have when it is whole, because the length of a file that is being written does not decrease.
    long rest = bytes - next;
    tailBytes = rest <= 0 ? 0 : Math.max(1, rest - Frame.HEADER_BYTES - FrameCipher.TAG_BYTES);
  }

  private void addUntil(long bytes) throws IOException {
    while (next + Frame.HEADER_BYTES <= bytes) {
      Frame frame = frameAt(next, bytes);
      if (frame != null && frame.end() <= bytes) {
        add(frame);
        continue;
      }
      Frame behind = searchBehind(bytes);
      if (behind == null) {
        return;
      }
      add(behind);
    }
  }

  private void add(Frame frame) {
    while (!frames.isEmpty() && endOf(frames.get(frames.size() - 1)) > frame.start()) {
      frames.remove(frames.size() - 1);
    }
    frames.add(frame);
    next = frame.end();
  }

  /** Returns the next frame behind the last one that can be opened, wherever it begins. */
  private @Nullable Frame searchBehind(long bytes) throws IOException {
    long from = next + 1;
    if (!frames.isEmpty()) {
      Frame last = frames.get(frames.size() - 1);
      boolean mayOpen = decipheredBytes <= DECIPHERED_SHARE_MAX * bytes + DECIPHERED_BYTES_MAX;
      if (last.end() == next && mayOpen && !opens(last)) {
        from = last.at() + 1;
      }
    }
    for (long at = from; at + Frame.HEADER_BYTES + FrameCipher.TAG_BYTES < bytes; at++) {
      Frame frame = frameAt(at, bytes);
      if (frame != null && frame.end() <= bytes) {
        return frame;
      }
    }
    return null;
  }

  private boolean opens(Frame frame) throws IOException {
    decipheredBytes += frame.length();
    return cipher.open(frame.number(), sealed(frame), ByteBuffer.allocate(frame.length()));
  }

  /** Returns the sealed bytes of a frame. */
  ByteBuffer sealed(Frame frame) throws IOException {
    ByteBuffer sealed = ByteBuffer.allocate(frame.length() + FrameCipher.TAG_BYTES);
    file.readFully(sealed, frame.at() + Frame.HEADER_BYTES);
    return sealed.flip();
  }

  private @Nullable Frame frameAt(long at, long bytes) throws IOException {
    if (windowAt < 0 || at < windowAt || at + Frame.HEADER_BYTES > windowAt + window.limit()) {
      int size = (int) Math.min(WINDOW_BYTES, bytes - at);
      if (window.capacity() < size) {
        window = ByteBuffer.allocate(size);
      }
      window.clear().limit(size);
      file.readFully(window, at);
      windowAt = at;
    }
    return Frame.read(salt, window, (int) (at - windowAt), at);
  }
}
