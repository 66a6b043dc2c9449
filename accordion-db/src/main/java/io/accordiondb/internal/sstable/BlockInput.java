// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.StorageReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
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
  private final long tableId;
  private final AtomicLong chargedBytes = new AtomicLong();

  /** Makes an input; {@code blocksEnd} is the offset of the footer. */
  BlockInput(StorageReader file, String name, long blocksEnd, BlockCache cache) {
    this.file = file;
    this.name = name;
    this.blocksEnd = blocksEnd;
    this.cache = cache;
    tableId = cache.newTableId();
  }

  /**
   * Returns a block, from the cache if it is there.
   *
   * @param fillCache whether a block that comes from the file is given to the cache
   */
  Block read(BlockHandle handle, boolean fillCache) throws IOException {
    Block cached = cache.get(tableId, handle.offset());
    if (cached != null) {
      return cached;
    }
    Block block = readFile(handle);
    if (fillCache) {
      cache.offer(tableId, handle.offset(), block);
    }
    return block;
  }

  /** Returns an index block, from the cache if it is there; the cache is given it otherwise. */
  IndexBlock readIndex(BlockHandle handle) throws IOException {
    if (cache.get(tableId, handle.offset()) instanceof IndexBlock cached) {
      return cached;
    }
    IndexBlock block = new IndexBlock(readFile(handle));
    cache.put(tableId, handle.offset(), block);
    return block;
  }

  /** Counts a block that was needed and did not have to be asked for. */
  void countHit() {
    cache.countHit();
  }

  /**
   * Takes a block that was read out of the cache, to be kept until {@link #dropCached}, if there is
   * room; returns whether it did.
   */
  boolean tryKeep(BlockHandle handle, Block block) {
    if (!cache.tryCharge(block.chargedBytes())) {
      return false;
    }
    chargedBytes.addAndGet(block.chargedBytes());
    cache.remove(tableId, handle.offset());
    return true;
  }

  /** Takes {@link #tryKeep} back. */
  void letGo(Block block) {
    charge(-block.chargedBytes());
  }

  /** Returns a block from the file itself. */
  Block readFile(BlockHandle handle) throws IOException {
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
    return unpack(handle, stored, stored.get(length), stored.getInt(length + 1));
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

  /** Drops the file's blocks from the cache. */
  void dropCached() {
    cache.charge(-chargedBytes.get());
    cache.dropTable(tableId);
  }

  private Block unpack(
      BlockHandle handle, ByteBuffer stored, int compressionId, int uncompressedLength)
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
      byte[] payload = Arrays.copyOf(stored.array(), length);
      return new Block(name, handle.offset(), ByteBuffer.wrap(payload));
    }
    if (uncompressedLength < 0 || uncompressedLength > SortedTableFormat.PAYLOAD_BYTES_MAX) {
      throw corruption(
          handle,
          "an uncompressed length of 0 to " + SortedTableFormat.PAYLOAD_BYTES_MAX,
          uncompressedLength);
    }
    byte[] payload = new byte[uncompressedLength];
    int found = BlockDecompressor.decompress(compression, stored.array(), length, payload);
    if (found != uncompressedLength) {
      throw corruption(
          handle,
          uncompressedLength + " bytes of " + compression + " data",
          found < 0 ? "no such data" : found + " bytes");
    }
    return new Block(name, handle.offset(), ByteBuffer.wrap(payload));
  }

  private CorruptionException corruption(BlockHandle handle, String expected, Object found) {
    return new CorruptionException(name, handle.offset(), expected, String.valueOf(found));
  }

  private static String hex(int value) {
    return String.format("%08x", value);
  }
}
