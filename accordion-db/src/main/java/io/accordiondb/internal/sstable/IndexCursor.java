// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.io.IOException;

/**
 * Walks over the entries for data blocks in an index of one or two levels. Belongs to one thread.
 * Index blocks come through the cache and stay in it.
 */
final class IndexCursor {
  private final IndexBlock root;
  private final boolean twoLevels;
  private final BlockInput input;

  /** The index block that {@link #leafEntry} names; the root itself if it is the only level. */
  private IndexBlock leaf;

  /** Which entry of the root the leaf is; -1 before the first. */
  private int leafEntry = -1;

  private int entry;

  IndexCursor(IndexBlock root, boolean twoLevels, BlockInput input) {
    this.root = root;
    this.twoLevels = twoLevels;
    this.input = input;
    leaf = root;
  }

  /** Moves to the first data block that may hold a cell at or after a key, if there is one. */
  boolean seek(SearchKey key) throws IOException {
    int found = root.findKey(key);
    if (found == root.count()) {
      return false;
    }
    if (!twoLevels) {
      entry = found;
      return true;
    }
    loadLeaf(found);
    entry = leaf.findKey(key);
    if (entry == leaf.count()) {
      throw leaf.corruption("an index block that ends where its entry in the root says", "less");
    }
    return true;
  }

  /** Moves to the first data block. */
  void seekToFirst() throws IOException {
    if (twoLevels) {
      loadLeaf(0);
    }
    entry = 0;
  }

  /** Moves to the last data block. */
  void seekToLast() throws IOException {
    if (twoLevels) {
      loadLeaf(root.count() - 1);
    }
    entry = leaf.count() - 1;
  }

  /** Moves to the next data block; returns whether there is one, and stays otherwise. */
  boolean next() throws IOException {
    if (entry + 1 < leaf.count()) {
      entry++;
      return true;
    }
    if (!twoLevels || leafEntry + 1 == root.count()) {
      return false;
    }
    loadLeaf(leafEntry + 1);
    entry = 0;
    return true;
  }

  /** Moves to the data block before; returns whether there is one, and stays otherwise. */
  boolean previous() throws IOException {
    if (entry > 0) {
      entry--;
      return true;
    }
    if (!twoLevels || leafEntry == 0) {
      return false;
    }
    loadLeaf(leafEntry - 1);
    entry = leaf.count() - 1;
    return true;
  }

  /** Returns where the current data block lies. */
  BlockHandle handle() throws IOException {
    return leaf.handle(entry);
  }

  private void loadLeaf(int newLeafEntry) throws IOException {
    if (newLeafEntry != leafEntry) {
      leaf = new IndexBlock(input.read(root.handle(newLeafEntry), true));
      leafEntry = newLeafEntry;
    }
  }
}
