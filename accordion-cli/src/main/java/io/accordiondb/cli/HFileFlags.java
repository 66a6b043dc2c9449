// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.text.ByteOrderMark;
import io.accordiondb.cli.text.BytesText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of an export as HFiles. */
final class HFileFlags {
  private static final long MEGABYTE = 1 << 20;

  @Option(
      names = "--splits",
      paramLabel = "FILE",
      description =
          "HFiles: rows at which the target's regions begin, one a line, each "
              + BytesText.FORMS
              + " (default: the table's own regions)")
  private @Nullable Path splits;

  @Option(
      names = "--compression",
      paramLabel = "NAME",
      description =
          "HFiles: NONE, GZ or another of HBase's that is available (default: GZ for families that"
              + " are compressed)")
  private @Nullable String compression;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description =
          "HFiles: data block encoding: NONE, PREFIX, DIFF, FAST_DIFF or ROW_INDEX_V1 (default"
              + " NONE)")
  private @Nullable String encoding;

  @Option(
      names = "--block-bytes",
      paramLabel = "N",
      description = "HFiles: bytes of a block before compression (default 65536, as HBase's)")
  private @Nullable Integer blockBytes;

  @Option(
      names = "--file-mb",
      paramLabel = "MB",
      description = "HFiles: size at which a further file begins (default 10240)")
  private @Nullable Long fileMegabytes;

  /** Returns whether any of these options was given. */
  boolean isGiven() {
    return Stream.of(splits, compression, encoding, blockBytes, fileMegabytes)
        .anyMatch(Objects::nonNull);
  }

  /** Returns what the files look like. */
  HFileForm form() {
    HFileForm defaults = HFileForm.DEFAULT;
    int block = blockBytes == null ? defaults.blockBytes() : blockBytes;
    int blockMax = FamilyDescriptor.BLOCK_BYTES_MAX;
    if (block < FamilyDescriptor.BLOCK_BYTES_MIN || block > blockMax) {
      throw new IllegalArgumentException(
          "--block-bytes is "
              + block
              + ", expected "
              + FamilyDescriptor.BLOCK_BYTES_MIN
              + " to "
              + blockMax);
    }
    if (fileMegabytes != null && (fileMegabytes < 1 || fileMegabytes > Long.MAX_VALUE / MEGABYTE)) {
      throw new IllegalArgumentException(
          "--file-mb is " + fileMegabytes + ", expected 1 MB or more");
    }
    return new HFileForm(
        compression,
        encoding == null ? defaults.encoding() : encoding,
        block,
        fileMegabytes == null ? defaults.fileBytesMax() : fileMegabytes * MEGABYTE);
  }

  /**
   * Returns the rows at which regions begin, ascending; null for those of the table.
   *
   * @throws IOException if the file cannot be read, or a line is no row, or not above the last one
   */
  @Nullable List<byte[]> splits() throws IOException {
    if (splits == null) {
      return null;
    }
    if (Files.isDirectory(splits)) {
      throw new FileSystemException(splits.toString(), null, "Is a directory");
    }
    List<String> lines;
    try {
      lines = Files.readAllLines(splits);
    } catch (CharacterCodingException e) {
      throw new IOException(splits + " has bytes that are not UTF-8; write them as \\xHH", e);
    }
    List<byte[]> rows = new ArrayList<>();
    int number = 0;
    for (String line : lines) {
      number++;
      byte[] row = row(number == 1 ? ByteOrderMark.cut(line) : line, number);
      if (!rows.isEmpty() && Arrays.compareUnsigned(rows.get(rows.size() - 1), row) >= 0) {
        throw refused(number, "row \"" + line + "\" is not above the one before it");
      }
      rows.add(row);
    }
    return rows;
  }

  private byte[] row(String line, int number) throws IOException {
    if (line.isEmpty()) {
      throw refused(number, "the line is empty; the first region needs no line");
    }
    try {
      return BytesText.parse(line);
    } catch (IllegalArgumentException e) {
      throw refused(number, String.valueOf(e.getMessage()));
    }
  }

  private IOException refused(int number, String why) {
    return new IOException(splits + ", line " + number + ": " + why);
  }
}
