// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.FamilyDescriptor;
import io.accordiondb.cli.hfile.HFileForm;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CompressionTest;
import org.jspecify.annotations.Nullable;

/**
 * Writes the HFiles of one region of one family. A file gets its final name when {@link #finish}
 * has been called for all; closing before that deletes what was written. Not thread-safe.
 */
final class RegionFiles implements Closeable {
  private final LocalFiles disk;
  private final Path target;
  private final ExportJournal journal;
  private final String prefix;
  private final HFileContext context;
  private final BloomType bloom;
  private final long fileBytesMax;
  private final long nowMillis;
  private final List<Path> complete = new ArrayList<>();
  private @Nullable StoreFileWriter writer;
  private @Nullable Path path;
  private long cells;
  private long bytes;

  /**
   * Begins the files of a region.
   *
   * @param target the folder of the family
   * @param region the number of the region, in the names of its files
   * @param nowMillis the time of the export, which the files hold
   */
  RegionFiles(
      LocalFiles disk,
      ExportJournal journal,
      Path target,
      FamilyDescriptor family,
      int region,
      HFileForm form,
      long nowMillis) {
    this.disk = disk;
    this.journal = journal;
    this.target = target;
    // HBase's names of files are hexadecimal.
    this.prefix = String.format(Locale.ROOT, "%08x", region);
    this.bloom = BloomType.valueOf(family.bloomFilter().name());
    this.fileBytesMax = form.fileBytesMax();
    this.nowMillis = nowMillis;
    this.context =
        new HFileContextBuilder()
            .withCompression(compression(family, form))
            .withDataBlockEncoding(DataBlockEncoding.valueOf(upperCase(form.encoding())))
            .withBlockSize(form.blockBytes())
            .withColumnFamily(family.nameBytes())
            .withIncludesTags(true)
            .withCreateTime(nowMillis)
            .build();
  }

  /**
   * Checks that files of a form can be written here.
   *
   * @throws IllegalArgumentException if HBase has no such compression or encoding
   * @throws IOException if the compression is not available
   */
  static void check(FamilyDescriptor family, HFileForm form) throws IOException {
    try {
      DataBlockEncoding.valueOf(upperCase(form.encoding()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--encoding is "
              + form.encoding()
              + ", expected one of "
              + List.of(DataBlockEncoding.values()),
          e);
    }
    Compression.Algorithm algorithm = compression(family, form);
    try {
      CompressionTest.testCompression(algorithm);
    } catch (IOException e) {
      throw new IOException(
          "compression " + algorithm + " is not available here; NONE and GZ are always", e);
    }
  }

  /** Returns GZ, which HBase reads everywhere, for families that are compressed. */
  private static Compression.Algorithm compression(FamilyDescriptor family, HFileForm form) {
    String name = form.compression();
    if (name == null) {
      return family.compression() == io.accordiondb.Compression.NONE
          ? Compression.Algorithm.NONE
          : Compression.Algorithm.GZ;
    }
    try {
      return Compression.Algorithm.valueOf(upperCase(name));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "--compression is "
              + name
              + ", expected one of "
              + List.of(Compression.Algorithm.values()),
          e);
    }
  }

  private static String upperCase(String name) {
    return name.toUpperCase(Locale.ROOT);
  }

  /** Adds the cells of a row, in their order; there may be none. */
  void add(List<Cell> row) throws IOException {
    if (row.isEmpty()) {
      // HBase's bulk load refuses files without cells.
      return;
    }
    StoreFileWriter present = writer;
    if (present != null && present.getPos() >= fileBytesMax) {
      endFile();
      present = null;
    }
    if (present == null) {
      present = beginFile();
    }
    for (Cell cell : row) {
      present.append(converted(cell));
    }
    cells += row.size();
  }

  private static KeyValue converted(Cell cell) throws IOException {
    try {
      return HBaseCells.of(cell);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "HBase cannot hold cell " + HBaseCells.keyOf(cell) + ": " + e.getMessage(), e);
    }
  }

  private StoreFileWriter beginFile() throws IOException {
    Path begun = journal.unfinished(prefix + String.format(Locale.ROOT, "%08x", complete.size()));
    path = begun;
    StoreFileWriter created =
        new StoreFileWriter.Builder(disk.configuration(), CacheConfig.DISABLED, disk.files())
            .withFilePath(LocalFiles.path(begun))
            .withBloomType(bloom)
            .withFileContext(context)
            .build();
    writer = created;
    return created;
  }

  /** Ends a file with what HBase's own writers of files for the bulk load note. */
  private void endFile() throws IOException {
    StoreFileWriter present = Objects.requireNonNull(writer);
    present.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(nowMillis));
    present.appendFileInfo(HStoreFile.BULKLOAD_TASK_KEY, Bytes.toBytes("accordion store export"));
    // Markers may be left to drop.
    present.appendFileInfo(HStoreFile.MAJOR_COMPACTION_KEY, Bytes.toBytes(false));
    present.appendFileInfo(HStoreFile.EXCLUDE_FROM_MINOR_COMPACTION_KEY, Bytes.toBytes(false));
    present.appendTrackedTimestampsToMetadata();
    present.close();
    writer = null;
    Path written = Objects.requireNonNull(path);
    bytes += Files.size(written);
    complete.add(written);
  }

  /** Gives all files their names, and returns how many there are. */
  int finish() throws IOException {
    if (writer != null) {
      endFile();
    }
    for (Path file : complete) {
      LocalFiles.publish(file, target.resolve(Objects.requireNonNull(file.getFileName())));
    }
    int files = complete.size();
    complete.clear();
    return files;
  }

  /** Returns the cells that were added. */
  long cells() {
    return cells;
  }

  /** Returns the bytes of the files that are complete. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() throws IOException {
    StoreFileWriter left = writer;
    writer = null;
    if (left != null) {
      abandon(left);
      Files.deleteIfExists(Objects.requireNonNull(path));
    }
    for (Path file : complete) {
      Files.deleteIfExists(file);
    }
  }

  private static void abandon(StoreFileWriter left) {
    try {
      left.close();
    } catch (IOException | RuntimeException | FSError e) {
      // The file is deleted; what made the export fail is thrown already.
    }
  }
}
