// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates direct memory for a cache until the process has none left. Then the cache gives some
 * back, for those who cannot do without, and gets no more. If the cache has none to give, the
 * memory stores give up what they do not use. Thread-safe.
 */
public final class DirectMemory {
  private static final Logger LOG = LoggerFactory.getLogger(DirectMemory.class);

  private final IntFunction<ByteBuffer> allocator;
  private final BooleanSupplier giveBack;
  private final AtomicBoolean isOut = new AtomicBoolean();
  private volatile Runnable lastResort = () -> {};
  private volatile Spare spare = new Spare(0, () -> null);

  /** Memory that others have allocated; see {@link #setSpare}. */
  private record Spare(int pieceBytes, Supplier<@Nullable ByteBuffer> pieces) {}

  /**
   * Creates an allocator.
   *
   * @param allocator allocates a number of bytes, or throws an {@link OutOfMemoryError}
   * @param giveBack releases some of the cache's memory, or returns false if it has none
   */
  public DirectMemory(IntFunction<ByteBuffer> allocator, BooleanSupplier giveBack) {
    this.allocator = allocator;
    this.giveBack = giveBack;
  }

  /**
   * Sets what releases direct memory for others when the cache has none.
   *
   * @param lastResort called by the thread that has found none, each time
   */
  public void setLastResort(Runnable lastResort) {
    this.lastResort = lastResort;
  }

  /**
   * Sets which memory the cache takes before it allocates any.
   *
   * @param pieceBytes the length of each piece
   * @param pieces returns a piece that nobody else uses from then on, or null if there is none
   */
  public void setSpare(int pieceBytes, Supplier<@Nullable ByteBuffer> pieces) {
    spare = new Spare(pieceBytes, pieces);
  }

  /** Returns whether direct memory has run out. */
  boolean isOut() {
    return isOut.get();
  }

  /** Allocates again, even if direct memory has run out. */
  void retry() {
    isOut.set(false);
  }

  /**
   * Returns direct memory of a length within bounds, spare memory if there is any; or null if the
   * process has none left.
   */
  @Nullable ByteBuffer allocate(int bytesMin, int bytesMax) {
    Spare known = spare;
    boolean fits = bytesMin <= known.pieceBytes && known.pieceBytes <= bytesMax;
    ByteBuffer piece = fits ? known.pieces.get() : null;
    return piece == null ? allocate(bytesMax) : piece;
  }

  /** Returns direct memory, or null if the process has none left. */
  public @Nullable ByteBuffer allocate(int bytes) {
    if (isOut()) {
      return null;
    }
    try {
      return allocator.apply(bytes);
    } catch (OutOfMemoryError e) {
      // A lack of heap passes, and memory of the cache does not help against it.
      if (isOfDirectMemory(e)) {
        giveBackSome();
      }
      return null;
    }
  }

  /**
   * Returns direct memory. If there is none left, the cache or the memory stores give some back
   * first.
   *
   * @throws OutOfMemoryError if they have none either
   */
  public ByteBuffer require(int bytes) {
    try {
      return allocator.apply(bytes);
    } catch (OutOfMemoryError e) {
      giveBackAfter(e);
      return allocator.apply(bytes);
    }
  }

  /**
   * Makes the cache or the memory stores give memory back after a caller has found none. The caller
   * should try once more, even if they have none either: another thread may just have given some
   * back.
   *
   * @throws OutOfMemoryError the error of the caller, if it is about the heap or threads
   */
  public void giveBackAfter(OutOfMemoryError error) {
    if (!isOfDirectMemory(error)) {
      throw error;
    }
    if (!giveBackSome()) {
      lastResort.run();
    }
  }

  /** Returns whether the process has reached its limit, or the operating system gives no more. */
  private static boolean isOfDirectMemory(OutOfMemoryError error) {
    String message = String.valueOf(error.getMessage());
    return message.contains("direct buffer memory") || message.startsWith("Unable to allocate ");
  }

  private boolean giveBackSome() {
    boolean wasOut = isOut.getAndSet(true);
    boolean isGivenBack = giveBack.getAsBoolean();
    if (!wasOut) {
      LOG.warn(
          "no direct memory is left: the block cache has given some of its memory back and does"
              + " not grow any more; raise -XX:MaxDirectMemorySize, or lower memoryBytes or"
              + " blockCacheBytes");
    }
    return isGivenBack;
  }
}
