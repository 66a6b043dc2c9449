// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.cache.BlockBuffer;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.cache.CachedFile;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.statistics.BlockKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads the blocks of one file, through the cache. Thread-safe as the reader is; does not own it.
 *
 * <p>A block is read only if it lies wholly before the footer, and is decompressed only if its
 * checksum is right.
 */
final class BlockInput {
  /** A block as it is stored lies here until its payload has been taken out. */
  private static final ThreadLocal<ByteBuffer> STORED =
      ThreadLocal.withInitial(() -> ByteBuffer.allocate(32 << 10));

  private final StorageReader file;
  private final String name;
  private final long blocksEnd;
  private final BlockCache cache;
  private final CachedFile cached;
  private final AtomicLong chargedBytes = new AtomicLong();

  /** Makes an input; {@code blocksEnd} is the offset of the footer. */
  BlockInput(StorageReader file, String name, long blocksEnd, BlockCache cache) {
    this.file = file;
    this.name = name;
    this.blocksEnd = blocksEnd;
    this.cache = cache;
    cached = cache.newFile();
  }

  /** Returns a buffer for {@link #read}, which is the caller's until it gives it back. */
  BlockBuffer takeBuffer() {
    return cache.takeBuffer();
  }

  /** Takes back a buffer; blocks that were read into it are no longer used. */
  void giveBack(BlockBuffer buffer) {
    cache.giveBack(buffer);
  }

  /**
   * Returns a block, from the cache if it is there.
   *
   * @param fillCache whether a block that comes from the file is offered to the cache
   * @param buffer takes the block, which is valid until the buffer is used again
   */
  Block read(BlockHandle handle, boolean fillCache, BlockBuffer buffer) throws IOException {
    if (cache.read(BlockKind.DATA, cached, handle.offset(), buffer)) {
      return new Block(name, handle.offset(), buffer.payload());
    }
    Block block = readFile(handle, buffer);
    if (fillCache) {
      cache.offer(cached, handle.offset(), block.payload());
    }
    return block;
  }

  /** Returns a block of index or filter, from the cache if it is there. */
  Block readMeta(BlockKind kind, BlockHandle handle) throws IOException {
    BlockBuffer own = new BlockBuffer();
    if (cache.read(kind, cached, handle.offset(), own)) {
      return new Block(name, handle.offset(), own.payload());
    }
    return readFile(handle, own);
  }

  /** Counts a block that was needed and did not have to be asked for. */
  void countHit(BlockKind kind) {
    cache.countHit(kind);
  }

  /**
   * Charges a block that is kept until {@link #dropCached}, if there is room; if not, the cache is
   * given it. Returns whether it is to be kept.
   */
  boolean tryKeep(BlockHandle handle, Block block) {
    if (!cache.tryCharge(block.chargedBytes())) {
      cache.put(cached, handle.offset(), block.payload());
      return false;
    }
    chargedBytes.addAndGet(block.chargedBytes());
    return true;
  }

  /** Takes {@link #tryKeep} back. */
  void letGo(Block block) {
    charge(-block.chargedBytes());
  }

  /** Returns a block from the file itself. */
  Block readFile(BlockHandle handle) throws IOException {
    return readFile(handle, new BlockBuffer());
  }

  private Block readFile(BlockHandle handle, BlockBuffer buffer) throws IOException {
    int length = handle.length();
    if (handle.offset() < 0
        || length < 0
        || length > SortedTableFormat.PAYLOAD_BYTES_MAX
        || handle.offset() > blocksEnd - handle.fileBytes()) {
      throw corruption(
          handle, "a block that ends before offset " + blocksEnd, "a length of " + length);
    }
    ByteBuffer stored = storedBuffer((int) handle.fileBytes());
    file.readFully(stored, handle.offset());
    int crcAt = stored.limit() - Integer.BYTES;
    int crc = SortedTableFormat.maskedCrc(stored.array(), crcAt);
    if (crc != stored.getInt(crcAt)) {
      throw corruption(handle, "checksum " + hex(stored.getInt(crcAt)), hex(crc));
    }
    return unpack(handle, stored, stored.get(length), stored.getInt(length + 1), buffer);
  }

  /** Returns a buffer for so many bytes, which is this thread's until it reads another block. */
  private static ByteBuffer storedBuffer(int bytes) {
    ByteBuffer kept = STORED.get();
    return bytes <= kept.capacity() ? kept.clear().limit(bytes) : ByteBuffer.allocate(bytes);
  }

  /** Charges bytes that stay until {@link #dropCached}. */
  void charge(long bytes) {
    chargedBytes.addAndGet(bytes);
    cache.charge(bytes);
  }

  /** Forgets the file's blocks and what was charged for it. */
  void dropCached() {
    cache.charge(-chargedBytes.get());
    cache.drop(cached);
  }

  private Block unpack(
      BlockHandle handle,
      ByteBuffer stored,
      int compressionId,
      int uncompressedLength,
      BlockBuffer buffer)
      throws IOException {
    if (compressionId < 0 || compressionId > SortedTableFormat.COMPRESSION_ID_MAX) {
      throw corruption(handle, "the number of a compression", compressionId);
    }
    int length = handle.length();
    Compression compression = SortedTableFormat.compression(compressionId);
    if (compression == Compression.NONE) {
      if (uncompressedLength != length) {
        throw corruption(handle, "an uncompressed length of " + length, uncompressedLength);
      }
      ByteBuffer payload = buffer.resize(length).put(0, stored, 0, length);
      return new Block(name, handle.offset(), payload);
    }
    if (uncompressedLength < 0 || uncompressedLength > SortedTableFormat.PAYLOAD_BYTES_MAX) {
      throw corruption(
          handle,
          "an uncompressed length of 0 to " + SortedTableFormat.PAYLOAD_BYTES_MAX,
          uncompressedLength);
    }
    ByteBuffer payload = buffer.resize(uncompressedLength);
    int found = BlockDecompressor.decompress(compression, stored.array(), length, payload);
    if (found != uncompressedLength) {
      throw corruption(
          handle,
          uncompressedLength + " bytes of " + compression + " data",
          found < 0 ? "no such data" : found + " bytes");
    }
    return new Block(name, handle.offset(), payload);
  }

  private CorruptionException corruption(BlockHandle handle, String expected, Object found) {
    return new CorruptionException(name, handle.offset(), expected, String.valueOf(found));
  }

  private static String hex(int value) {
    return String.format("%08x", value);
  }
}
