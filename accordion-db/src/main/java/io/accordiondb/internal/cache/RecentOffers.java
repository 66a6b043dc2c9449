// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/**
 * Remembers the hashes of recently offered blocks. The entries are only hints and are written
 * without ordering.
 */
final class RecentOffers {
  private final int[] hashes;

  /**
   * Creates a memory without offers.
   *
   * @param places how many offers are remembered at most; a power of two
   */
  RecentOffers(int places) {
    hashes = new int[places];
  }

  /** Returns whether a block was offered recently, and remembers that it is offered now. */
  boolean add(int hash) {
    int place = hash & hashes.length - 1;
    boolean known = hashes[place] == hash;
    hashes[place] = hash;
    return known;
  }
}
