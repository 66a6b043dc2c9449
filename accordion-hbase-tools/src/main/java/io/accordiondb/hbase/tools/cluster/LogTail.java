// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a log, which may be long. */
final class LogTail {
  private static final int LINES = 25;
  private static final int BYTES = 32 << 10;

  private LogTail() {}

  /** Returns the last lines of a file; nothing if it does not exist. */
  static String of(Path log) throws IOException {
    if (!Files.exists(log)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] end = new byte[(int) Math.min(file.length(), BYTES)];
      file.seek(file.length() - end.length);
      file.readFully(end);
      List<String> lines = new String(end, UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
  }
}
