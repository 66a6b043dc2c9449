// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import java.io.IOException;

/**
 * Writes the index of a table: index blocks between the data blocks, and the root at the end. The
 * root points to the index blocks, or directly to the data blocks if their entries fit one index
 * block. Belongs to one thread.
 */
final class IndexWriter {
  /**
   * How many times as long as an index block the root may be. Otherwise it would grow by a key with
   * each data block if keys are as long as blocks, until no reader took it.
   */
  private static final int ROOT_TO_BLOCK_MAX = 256;

  /** What the root has beyond these bytes counts this many times as much. */
  private static final int ROOT_BYTES = 16 << 20;

  private static final int BEYOND_WEIGHT = 64;

  private final BlockOutput output;
  private final int blockSizeBytes;
  private final IndexBlockBuilder leaf = new IndexBlockBuilder();
  private final IndexBlockBuilder root = new IndexBlockBuilder();
  private long fileBytes;
  private int levels = 1;

  IndexWriter(BlockOutput output, int blockSizeBytes) {
    this.output = output;
    this.blockSizeBytes = blockSizeBytes;
  }

  /**
   * Adds a data block.
   *
   * @param separator at or after each cell of the block, and at or before each cell of the next one
   */
  void add(Separator separator, BlockHandle block) throws IOException {
    leaf.add(separator, block);
    long rootBytes = root.payloadLength();
    rootBytes += BEYOND_WEIGHT * Math.max(0, rootBytes - ROOT_BYTES);
    if (leaf.payloadLength() >= Math.max(blockSizeBytes, rootBytes / ROOT_TO_BLOCK_MAX)) {
      writeLeaf(separator);
    }
  }

  /** Writes the last index block and the root, and returns the location of the root. */
  BlockHandle finish(Separator last) throws IOException {
    if (levels == 2 && leaf.count() > 0) {
      writeLeaf(last);
    }
    return write(levels == 2 ? root : leaf);
  }

  /** Returns 1 if the root points at data blocks, 2 if it points at index blocks. */
  int levels() {
    return levels;
  }

  /** Returns the bytes that index blocks and root take in the file. */
  long fileBytes() {
    return fileBytes;
  }

  private void writeLeaf(Separator last) throws IOException {
    BlockHandle handle = write(leaf);
    leaf.reset();
    root.add(last, handle);
    levels = 2;
  }

  private BlockHandle write(IndexBlockBuilder block) throws IOException {
    int length = block.finish();
    BlockHandle handle = output.write(block.bytes(), length);
    fileBytes += handle.fileBytes();
    return handle;
  }
}
