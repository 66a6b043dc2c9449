// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.cache.BlockBuffer;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.cache.CachedBlock;
import io.accordiondb.internal.cache.CachedFile;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.statistics.BlockKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks of one file through the block cache. Thread-safe if its {@code StorageReader}
 * is, which it does not own.
 *
 * <p>It reads a block only if the whole block is before the footer, and decompresses it only if its
 * checksum is right.
 */
final class BlockInput {
  private final StorageReader file;
  private final String name;
  private final long blocksEnd;
  private final BlockCache cache;
  private final CachedFile cached;
  private final boolean readsAhead;
  private final AtomicLong chargedBytes = new AtomicLong();

  /** Creates an input; {@code blocksEnd} is the offset of the footer. */
  BlockInput(StorageReader file, String name, long blocksEnd, BlockCache cache) {
    this.file = file;
    this.name = name;
    this.blocksEnd = blocksEnd;
    this.cache = cache;
    cached = cache.newFile();
    readsAhead = !file.isInMemory();
  }

  /**
   * Takes a buffer for {@link #read} from the pool. It belongs to the caller until {@link
   * #giveBack}.
   */
  BlockBuffer takeBuffer() {
    return cache.takeBuffer();
  }

  /** Returns what reads ahead for one cursor; null if one call for many blocks saves nothing. */
  @Nullable ReadAhead newReadAhead() {
    return readsAhead ? new ReadAhead(file, blocksEnd, cache.directMemory()) : null;
  }

  /** Returns a buffer to the pool; blocks that were read into it are no longer used. */
  void giveBack(BlockBuffer buffer) {
    cache.giveBack(buffer);
  }

  /**
   * Prepares a search of a block in place: in the cache, or in the memory of the reader. The block
   * stays there until the scratch releases its pin.
   *
   * @param offset of the block in the file
   * @param length of its stored payload
   * @param fillCache whether a block that comes from the file is offered to the cache
   */
  void pin(long offset, int length, boolean fillCache, ReadScratch scratch) throws IOException {
    CachedBlock block = cache.pin(BlockKind.DATA, cached, offset);
    if (block == null) {
      BlockHandle handle = new BlockHandle(offset, length);
      int payloadLength = readStored(handle, scratch, null);
      block = fillCache ? cache.offer(cached, offset, payloadLength) : null;
      if (block == null) {
        ByteBuffer own = payloadBytes(payloadLength, scratch);
        unpack(handle, scratch, own, 0, payloadLength);
        scratch.search().setBlock(name, offset, own, 0, payloadLength);
        return;
      }
      fill(block, handle, scratch);
    }
    scratch.hold(block);
    scratch.search().setBlock(name, offset, block.memory(), block.start(), block.length());
  }

  /** Unpacks a block into its place in the cache. The caller holds a pin of it afterwards. */
  private void fill(CachedBlock block, BlockHandle handle, ReadScratch scratch) throws IOException {
    boolean filled = false;
    try {
      unpack(handle, scratch, block.memory(), block.start(), block.length());
      filled = true;
    } finally {
      if (filled) {
        block.openPinned();
      } else {
        block.abandon();
      }
    }
  }

  /**
   * Returns a block in the reader's own buffer, copied from the cache if it is there.
   *
   * @param fillCache whether a block that comes from the file is offered to the cache
   * @param buffer receives the block, which is valid until the buffer is used again
   * @param ahead reads ahead for the reader, or null
   */
  Block read(BlockHandle handle, boolean fillCache, BlockBuffer buffer, @Nullable ReadAhead ahead)
      throws IOException {
    if (cache.read(BlockKind.DATA, cached, handle.offset(), buffer)) {
      return new Block(name, handle.offset(), buffer.payload());
    }
    Block block = readFile(handle, buffer, ahead);
    if (fillCache) {
      cache.offer(cached, handle.offset(), block.payload());
    }
    return block;
  }

  /** Returns a block of an index or a filter, from the cache if it is there. */
  Block readMeta(BlockKind kind, BlockHandle handle) throws IOException {
    BlockBuffer own = new BlockBuffer();
    if (cache.read(kind, cached, handle.offset(), own)) {
      return new Block(name, handle.offset(), own.payload());
    }
    return readFile(handle, own, null);
  }

  /** Counts a hit for a block that did not have to be looked up. */
  void countHit(BlockKind kind) {
    cache.countHit(kind);
  }

  /**
   * Charges a block that the caller wants to keep until {@link #dropCached}. If there is no room,
   * it offers the block to the cache instead. Returns whether the caller may keep the block.
   */
  boolean tryKeep(BlockHandle handle, Block block) {
    if (!cache.tryCharge(block.chargedBytes())) {
      cache.put(cached, handle.offset(), block.payload());
      return false;
    }
    chargedBytes.addAndGet(block.chargedBytes());
    return true;
  }

  /** Undoes {@link #tryKeep}. */
  void letGo(Block block) {
    charge(-block.chargedBytes());
  }

  /** Returns a block from the file itself. */
  Block readFile(BlockHandle handle) throws IOException {
    return readFile(handle, new BlockBuffer(), null);
  }

  private Block readFile(BlockHandle handle, BlockBuffer buffer, @Nullable ReadAhead ahead)
      throws IOException {
    try (ReadScratch scratch = ReadScratch.take()) {
      int length = readStored(handle, scratch, ahead);
      ByteBuffer payload = buffer.resize(length);
      unpack(handle, scratch, payload, 0, length);
      return new Block(name, handle.offset(), payload);
    }
  }

  /** Reads a block as it is stored and checks it; returns the length of its payload. */
  private int readStored(BlockHandle handle, ReadScratch scratch, @Nullable ReadAhead ahead)
      throws IOException {
    int length = handle.length();
    if (handle.offset() < 0
        || length < 0
        || length > SortedTableFormat.PAYLOAD_BYTES_MAX
        || handle.offset() > blocksEnd - handle.fileBytes()) {
      throw corruption(
          handle, "a block that ends before offset " + blocksEnd, "a length of " + length);
    }
    ByteBuffer stored = readBytes(handle, scratch, ahead);
    int crcAt = stored.limit() - Integer.BYTES;
    int crc = SortedTableFormat.maskedCrc(stored, crcAt);
    if (crc != stored.getInt(crcAt)) {
      throw corruption(handle, "checksum " + hex(stored.getInt(crcAt)), hex(crc));
    }
    int compressionId = stored.get(length);
    if (compressionId < 0 || compressionId > SortedTableFormat.COMPRESSION_ID_MAX) {
      throw corruption(handle, "the number of a compression", compressionId);
    }
    int payloadLength = stored.getInt(length + 1);
    boolean isCompressed = SortedTableFormat.compression(compressionId) != Compression.NONE;
    int max = isCompressed ? SortedTableFormat.PAYLOAD_BYTES_MAX : length;
    if (payloadLength < (isCompressed ? 0 : length) || payloadLength > max) {
      throw corruption(
          handle,
          "an uncompressed length of " + (isCompressed ? "0 to " + max : max),
          payloadLength);
    }
    return payloadLength;
  }

  private ByteBuffer readBytes(BlockHandle handle, ReadScratch scratch, @Nullable ReadAhead ahead)
      throws IOException {
    try {
      return tryReadBytes(handle, scratch, ahead);
    } catch (OutOfMemoryError e) {
      cache.directMemory().giveBackAfter(e);
      return tryReadBytes(handle, scratch, ahead);
    }
  }

  private ByteBuffer tryReadBytes(
      BlockHandle handle, ReadScratch scratch, @Nullable ReadAhead ahead) throws IOException {
    ByteBuffer stored = scratch.storedBytes((int) handle.fileBytes());
    if (ahead == null || !ahead.read(handle.offset(), stored)) {
      file.readFully(stored, handle.offset());
    }
    return stored;
  }

  private ByteBuffer payloadBytes(int length, ReadScratch scratch) {
    try {
      return scratch.payloadBytes(length);
    } catch (OutOfMemoryError e) {
      cache.directMemory().giveBackAfter(e);
      return scratch.payloadBytes(length);
    }
  }

  /** Charges bytes until {@link #dropCached}. */
  void charge(long bytes) {
    chargedBytes.addAndGet(bytes);
    cache.charge(bytes);
  }

  /** Drops the file's blocks and credits all bytes charged for it. */
  void dropCached() {
    cache.charge(-chargedBytes.get());
    cache.drop(cached);
  }

  /** Extracts the payload of a block that was read and checked. */
  private void unpack(
      BlockHandle handle, ReadScratch scratch, ByteBuffer target, int start, int length)
      throws IOException {
    ByteBuffer stored = scratch.storedBytes((int) handle.fileBytes());
    Compression compression = SortedTableFormat.compression(stored.get(handle.length()));
    if (compression == Compression.NONE) {
      target.put(start, stored, 0, length);
      return;
    }
    int found =
        BlockDecompressor.decompress(compression, stored, handle.length(), target, start, length);
    if (found != length) {
      throw corruption(
          handle,
          length + " bytes of " + compression + " data",
          found < 0 ? "no such data" : found + " bytes");
    }
  }

  private CorruptionException corruption(BlockHandle handle, String expected, Object found) {
    return new CorruptionException(name, handle.offset(), expected, String.valueOf(found));
  }

  private static String hex(int value) {
    return String.format(Locale.ROOT, "%08x", value);
  }
}
