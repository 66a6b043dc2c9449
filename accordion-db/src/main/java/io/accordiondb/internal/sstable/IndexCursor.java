// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the entries of data blocks in an index of one or two levels. Belongs to one thread.
 */
final class IndexCursor {
  private final IndexBlock root;
  private final @Nullable ChildBlocks leaves;

  /** The index block that {@link #leafEntry} names; the root itself if it is the only level. */
  private IndexBlock leaf;

  /** The entry of the root that refers to the leaf; -1 before the first. */
  private int leafEntry = -1;

  private int entry;

  /** Creates a cursor; {@code leaves} is null where the root is the only level. */
  IndexCursor(IndexBlock root, @Nullable ChildBlocks leaves) {
    this.root = root;
    this.leaves = leaves;
    leaf = root;
  }

  /** Moves to the first data block that may hold a cell at or after a key, if there is one. */
  boolean seek(LookupKey key) throws IOException {
    int found = root.findKey(key);
    if (found == root.count()) {
      return false;
    }
    if (leaves == null) {
      entry = found;
      return true;
    }
    loadLeaf(leaves, found);
    entry = leaf.findKey(key);
    if (entry == leaf.count()) {
      throw leaf.corruption("an index block that ends where its entry in the root says", "less");
    }
    return true;
  }

  /** Moves to the first data block. */
  void seekToFirst() throws IOException {
    if (leaves != null) {
      loadLeaf(leaves, 0);
    }
    entry = 0;
  }

  /** Moves to the last data block. */
  void seekToLast() throws IOException {
    if (leaves != null) {
      loadLeaf(leaves, root.count() - 1);
    }
    entry = leaf.count() - 1;
  }

  /** Moves to the next data block; returns whether there is one, and stays otherwise. */
  boolean next() throws IOException {
    if (entry + 1 < leaf.count()) {
      entry++;
      return true;
    }
    if (leaves == null || leafEntry + 1 == root.count()) {
      return false;
    }
    loadLeaf(leaves, leafEntry + 1);
    entry = 0;
    return true;
  }

  /** Moves to the previous data block; returns whether there is one, and stays otherwise. */
  boolean previous() throws IOException {
    if (entry > 0) {
      entry--;
      return true;
    }
    if (leaves == null || leafEntry == 0) {
      return false;
    }
    loadLeaf(leaves, leafEntry - 1);
    entry = leaf.count() - 1;
    return true;
  }

  /** Returns the location of the current data block. */
  BlockHandle handle() {
    return leaf.handle(entry);
  }

  private void loadLeaf(ChildBlocks leaves, int newLeafEntry) throws IOException {
    if (newLeafEntry != leafEntry) {
      leaf = leaves.index(newLeafEntry);
      leafEntry = newLeafEntry;
    }
  }
}
