// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.cli.hfile.DamagedHFileException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.apache.hadoop.hbase.io.hfile.HFilePreadReader;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.io.hfile.ReaderContext;
import org.apache.hadoop.hbase.io.hfile.ReaderContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An HFile whose cells are read from first to last, once. Each block's checksum is compared, and
 * the number of cells is compared with the one in the trailer, which has no checksum. So a damaged
 * file causes a {@link DamagedHFileException} or has no effect on the cells. Not thread-safe.
 */
final class StrictHFile implements Closeable {
  private static final byte[] TRAILER = "TRABLK\"$".getBytes(StandardCharsets.US_ASCII);
  private static final int TRAILER_BYTES = 4096;

  /** Size of the trailer of version 1. */
  private static final int OLD_TRAILER_BYTES = 60;

  private static final int VERSION_MIN = 2;
  private static final int VERSION_MAX = 3;

  /** The lower bytes of the last number; the highest one is the minor version. */
  private static final int MAJOR_MASK = 0xFFFFFF;

  private final Path file;
  private final HFile.Reader reader;
  private final HFileScanner scanner;
  private final OptionalLong bulkSequence;
  private final long fileSequence;
  private boolean begun;
  private long cells;

  private StrictHFile(Path file, HFile.Reader reader, LocalFiles disk) {
    this.file = file;
    this.reader = reader;
    HFileInfo info = reader.getHFileInfo();
    this.bulkSequence =
        info.containsKey(HStoreFile.BULKLOAD_TIME_KEY)
                || StoreFileInfo.getBulkloadSeqId(LocalFiles.path(file)).isPresent()
            ? OptionalLong.of(
                StoreFileInfo.getBulkloadSeqId(LocalFiles.path(file))
                    .orElse(number(info, HStoreFile.MAX_SEQ_ID_KEY)))
            : OptionalLong.empty();
    this.fileSequence = bulkSequence.orElse(number(info, HStoreFile.MAX_SEQ_ID_KEY));
    this.scanner = reader.getScanner(disk.configuration(), false, false, true);
  }

  /**
   * Opens a file.
   *
   * @throws DamagedHFileException if it is no HFile, or damaged
   * @throws IOException if it is of a version that HBase does not read
   */
  static StrictHFile open(LocalFiles disk, Path file) throws IOException {
    checkVersion(file);
    StrictFileSystem files = new StrictFileSystem(disk.files());
    try {
      ReaderContext context =
          new ReaderContextBuilder()
              .withFilePath(LocalFiles.path(file))
              .withInputStreamWrapper(files.openStrictly(LocalFiles.path(file)))
              .withFileSize(Files.size(file))
              .withFileSystem(files)
              .withPrimaryReplicaReader(true)
              .withReaderType(ReaderContext.ReaderType.PREAD)
              .build();
      HFileInfo info = new HFileInfo(context, disk.configuration());
      HFile.Reader reader = new PlacingReader(context, info, disk);
      info.initMetaAndIndex(reader);
      return new StrictHFile(file, reader, disk);
    } catch (IOException | RuntimeException e) {
      throw damaged(file, e);
    }
  }

  private static void checkVersion(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      int version = 0;
      if (size >= OLD_TRAILER_BYTES) {
        version = ByteBuffer.wrap(read(channel, size - Integer.BYTES, Integer.BYTES)).getInt();
        version &= MAJOR_MASK;
      }
      boolean isOld = version == 1 && hasTrailer(channel, size - OLD_TRAILER_BYTES);
      if (!isOld && !hasTrailer(channel, size - TRAILER_BYTES)) {
        throw new DamagedHFileException(
            file + " is no HFile, or its end is damaged: its trailer does not begin with TRABLK");
      }
      if (version < VERSION_MIN || version > VERSION_MAX) {
        throw new IOException(
            file
                + " is an HFile of version "
                + version
                + ", expected 2 or 3; a major compaction in HBase writes it in its present version");
      }
    }
  }

  private static boolean hasTrailer(FileChannel channel, long at) throws IOException {
    return at >= 0 && Arrays.equals(read(channel, at, TRAILER.length), TRAILER);
  }

  private static byte[] read(FileChannel channel, long at, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) >= 0) {
      // A read may return less than was asked for.
    }
    return bytes.array();
  }

  private static long number(HFileInfo info, byte[] key) {
    byte[] value = info.get(key);
    return value == null ? 0 : Bytes.toLong(value);
  }

  private static IOException damaged(Path file, Throwable cause) {
    String place = place(cause);
    return new DamagedHFileException(
        file + " is damaged" + place + ": " + Throwables.rootMessage(cause), cause);
  }

  /** Returns at which offset reading failed, as far as it is known. */
  private static String place(Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof BlockException block) {
        return " in the block at offset " + block.offset;
      }
    }
    return "";
  }

  Path file() {
    return file;
  }

  /** Returns how many cells the file has. */
  long entries() {
    return reader.getEntries();
  }

  /** Returns the first row; empty if there are no cells. */
  Optional<byte[]> firstRow() {
    return reader.getFirstRowKey();
  }

  /** Returns the last row; empty if there are no cells. */
  Optional<byte[]> lastRow() {
    return reader.getLastRowKey();
  }

  /**
   * Moves to the next cell.
   *
   * @return whether there is one
   * @throws DamagedHFileException if the file is damaged
   */
  boolean next() throws IOException {
    boolean found;
    try {
      found = begun ? scanner.next() : scanner.seekTo();
      begun = true;
    } catch (IOException | RuntimeException | AssertionError e) {
      throw damaged(file, e);
    }
    if (found) {
      cells++;
    } else if (cells != entries()) {
      throw new DamagedHFileException(
          file + " is damaged: it has " + cells + " cells, its trailer counts " + entries());
    }
    return found;
  }

  /** Returns the present cell, which is valid until the next call of {@link #next}. */
  Cell cell() {
    return scanner.getCell();
  }

  /** Returns the order of the present cell among cells of equal key; the highest is the newest. */
  long sequence() {
    return bulkSequence.orElse(cell().getSequenceId());
  }

  /** Returns the order of this file among files with cells of equal key and sequence. */
  long fileSequence() {
    return fileSequence;
  }

  @Override
  public void close() throws IOException {
    scanner.close();
    reader.close();
  }

  /** A block could not be read. */
  private static final class BlockException extends IOException {
    private static final long serialVersionUID = 1;
    private final long offset;

    BlockException(long offset, Throwable cause) {
      super(cause);
      this.offset = offset;
    }
  }

  /** A reader whose failures say at which block they occurred. */
  private static final class PlacingReader extends HFilePreadReader {
    PlacingReader(ReaderContext context, HFileInfo info, LocalFiles disk) throws IOException {
      super(context, info, CacheConfig.DISABLED, disk.configuration());
    }

    @Override
    public HFileBlock readBlock(
        long offset,
        long size,
        boolean cacheBlock,
        boolean pread,
        boolean isCompaction,
        boolean updateCacheMetrics,
        BlockType expectedType,
        DataBlockEncoding expectedEncoding)
        throws IOException {
      try {
        return super.readBlock(
            offset,
            size,
            cacheBlock,
            pread,
            isCompaction,
            updateCacheMetrics,
            expectedType,
            expectedEncoding);
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new BlockException(offset, e);
      }
    }
  }
}
