// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.cache;

/** Counts the bytes of the blocks that a cache holds. The caller must hold the cache's lock. */
final class HeldBytes {
  private long all;
  private long ofDroppedFiles;

  void add(CachedBlock block) {
    change(block, block.chargedBytes());
  }

  void remove(CachedBlock block) {
    change(block, -block.chargedBytes());
  }

  private void change(CachedBlock block, long bytes) {
    all += bytes;
    block.addHeld(bytes);
    if (block.isDropped()) {
      ofDroppedFiles += bytes;
    }
  }

  /** Drops a file; returns whether it was not dropped before. */
  boolean drop(CachedFile file) {
    if (file.isDropped()) {
      return false;
    }
    file.drop();
    ofDroppedFiles += file.heldBytes();
    return true;
  }

  /** Returns the bytes of blocks whose files were not dropped. */
  long ofFiles() {
    return all - ofDroppedFiles;
  }

  /** Returns the bytes of blocks whose files were dropped. */
  long ofDroppedFiles() {
    return ofDroppedFiles;
  }
}
