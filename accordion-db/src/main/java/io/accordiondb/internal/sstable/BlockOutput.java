// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.Compression;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes blocks to a file, in pieces of {@value #PIECE_BYTES} bytes. Belongs to one thread; owns
 * the file's writer.
 */
final class BlockOutput {
  private static final int PIECE_BYTES = 256 << 10;

  private final StorageWriter file;
  private final Compression compression;
  private final BlockCompressor compressor;
  private final byte[] trailer = new byte[SortedTableFormat.BLOCK_TRAILER_BYTES];
  private final ByteBuffer trailerView = ByteBuffer.wrap(trailer);
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
  private long position;

  private BlockOutput(StorageWriter file, Compression compression, BlockCompressor compressor) {
    this.file = file;
    this.compression = compression;
    this.compressor = compressor;
  }

  /** Creates a file. */
  static BlockOutput create(Storage storage, String name, Compression compression)
      throws IOException {
    BlockCompressor compressor = new BlockCompressor(compression);
    StorageWriter file = null;
    BlockOutput output = null;
    try {
      file = storage.create(name);
      output = new BlockOutput(file, compression, compressor);
      return output;
    } finally {
      if (output == null) {
        compressor.close();
        if (file != null) {
          file.close();
        }
      }
    }
  }

  /** Writes a payload that begins at index 0, compressed if that pays. */
  BlockHandle write(byte[] payload, int length) throws IOException {
    int compressedLength = compressor.compress(payload, length);
    return compressedLength < 0
        ? writeStored(payload, length)
        : write(compressor.compressed(), compressedLength, compression, length);
  }

  /** Writes a payload that begins at index 0 without compression. */
  BlockHandle writeStored(byte[] payload, int length) throws IOException {
    return write(payload, length, Compression.NONE, length);
  }

  /** Writes bytes that are not part of a block. */
  void append(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int rest = length;
    while (rest > 0) {
      if (!piece.hasRemaining()) {
        flush();
      }
      int part = Math.min(rest, piece.remaining());
      piece.put(bytes, at, part);
      at += part;
      rest -= part;
    }
    position += length;
  }

  /** Returns the length in bytes that the file will have after all pending bytes are written. */
  long position() {
    return position;
  }

  /** Makes all written bytes durable. */
  void sync() throws IOException {
    flush();
    file.sync();
  }

  /** Closes the file. Bytes that were not synced may be missing from it. */
  void close() throws IOException {
    compressor.close();
    file.close();
  }

  /** Closes and deletes the file, as far as that is possible. */
  void abandon(Storage storage, String name) {
    try {
      close();
    } catch (IOException e) {
      // The file will be deleted, so it does not matter whether its last bytes were written.
    }
    try {
      storage.delete(name);
    } catch (IOException e) {
      // The file stays, as after the end of the process; the next opening deletes it.
    }
  }

  private BlockHandle write(byte[] bytes, int length, Compression how, int uncompressedLength)
      throws IOException {
    BlockHandle handle = new BlockHandle(position, length);
    trailer[0] = (byte) SortedTableFormat.compressionId(how);
    trailerView.putInt(1, uncompressedLength);
    int crc = SortedTableFormat.maskedCrc(bytes, length, trailer, 1 + Integer.BYTES);
    trailerView.putInt(1 + Integer.BYTES, crc);
    append(bytes, 0, length);
    append(trailer, 0, trailer.length);
    return handle;
  }

  private void flush() throws IOException {
    piece.flip();
    file.append(piece);
    piece.clear();
  }
}
