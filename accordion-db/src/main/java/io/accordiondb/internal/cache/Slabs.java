// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The slabs of a cache, in a circle around which the eviction hand moves. The caller must hold the
 * cache's lock.
 */
final class Slabs {
  private final List<Slab> slabs = new ArrayList<>();

  /** The slab that takes blocks. */
  private @Nullable Slab open;

  /** The slab that the hand points to. */
  private int hand;

  private long chargedBytes;

  int count() {
    return slabs.size();
  }

  /** Returns the bytes charged for all slabs. */
  long chargedBytes() {
    return chargedBytes;
  }

  /** Returns the slab that takes blocks, if it has room for one. */
  @Nullable Slab openFor(int length) {
    return open != null && open.hasRoom(length) ? open : null;
  }

  /** Directs new blocks to a slab from now on. */
  void open(Slab slab) {
    open = slab;
  }

  Slab add(Slab slab) {
    slabs.add(slab);
    chargedBytes += slab.chargedBytes();
    return slab;
  }

  /**
   * Releases slabs until the rest is within a number of bytes; returns whether it released any.
   * Readers may have pinned blocks, so their memory is freed only after they have unpinned them.
   *
   * @param evict called with each block of a released slab
   */
  boolean shrinkTo(long bytes, Consumer<CachedBlock> evict) {
    int before = slabs.size();
    while (!slabs.isEmpty() && chargedBytes > bytes) {
      release(slabs.size() - 1, evict);
    }
    return slabs.size() < before;
  }

  /** Releases the slab that the hand points to, as {@link #shrinkTo} does. */
  void release(Consumer<CachedBlock> evict) {
    release(hand, evict);
    hand--;
  }

  private void release(int index, Consumer<CachedBlock> evict) {
    Slab slab = slabs.remove(index);
    chargedBytes -= slab.chargedBytes();
    open = open == slab ? null : open;
    slab.forEach(evict);
  }

  /** Moves the hand on, and returns the slab that it then points to; there must be one. */
  Slab next() {
    hand = (hand + 1) % slabs.size();
    return slabs.get(hand);
  }

  void forEachBlock(Consumer<CachedBlock> action) {
    slabs.forEach(slab -> slab.forEach(action));
  }

  /** Returns how often blocks are pinned now. */
  int pins() {
    return slabs.stream().mapToInt(Slab::pins).sum();
  }
}
