// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import io.accordiondb.dashboard.internal.sample.Frame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sends frames to one page as server-sent events. A page that reads too slowly misses frames; it
 * never delays the sampler or other pages.
 */
final class FrameStream implements Consumer<Frame> {
  private static final int FRAMES_MAX = 4;
  private static final long SILENCE_SECONDS_MAX = 3;
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\n\n".getBytes(StandardCharsets.US_ASCII);

  /** A comment, by which both ends see that the other is there. */
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  private final BlockingQueue<Frame> waiting = new ArrayBlockingQueue<>(FRAMES_MAX);

  @Override
  public void accept(Frame frame) {
    while (!waiting.offer(frame)) {
      waiting.poll();
    }
  }

  /**
   * Writes frames until the thread is interrupted.
   *
   * @param progress is called after each
   * @throws IOException once the page is gone
   */
  void writeTo(OutputStream target, Runnable progress) throws IOException {
    try {
      while (true) {
        Frame frame = waiting.poll(SILENCE_SECONDS_MAX, TimeUnit.SECONDS);
        if (frame == null) {
          target.write(COMMENT);
        } else {
          target.write(DATA);
          target.write(frame.json());
          target.write(END);
        }
        target.flush();
        progress.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
