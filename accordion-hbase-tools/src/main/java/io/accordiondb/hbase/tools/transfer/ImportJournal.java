// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.accordiondb.Bound;
import io.accordiondb.ResultScanner;
import io.accordiondb.Scan;
import io.accordiondb.Table;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Which files of an import are durable in the database, so that the next run continues behind them.
 * It is a file beside the folder of the database, with a line for each unit; an incomplete line
 * counts for nothing. Only the owner can read it, as it holds rows. Not thread-safe.
 *
 * <p>The database may have been restored, or the table dropped, since a line was written. So a line
 * counts only if cells of the row are there that it names; otherwise the unit is imported again,
 * which does no harm.
 */
final class ImportJournal {
  private final Path file;
  private final Map<String, Done> done = new HashMap<>();

  private ImportJournal(Path file) {
    this.file = file;
  }

  /**
   * A unit that is durable.
   *
   * @param unit its name
   * @param cells cells that were written
   * @param droppedTags tags that were left out
   * @param row a row that was put; empty if there is none
   */
  record Done(String unit, long cells, long droppedTags, byte[] row) {}

  /**
   * Opens the journal of an import into a database.
   *
   * @param folder the folder of the database
   * @param task what is imported, and where to; each task has a journal of its own
   */
  static ImportJournal open(Path folder, String task) throws IOException {
    CRC32 checksum = new CRC32();
    checksum.update(task.getBytes(StandardCharsets.UTF_8));
    Path name = Objects.requireNonNull(folder.toAbsolutePath().normalize().getFileName());
    ImportJournal journal =
        new ImportJournal(
            folder
                .toAbsolutePath()
                .normalize()
                .resolveSibling("." + name + ".import-" + Long.toHexString(checksum.getValue())));
    if (Files.exists(journal.file)) {
      for (String line : Files.readAllLines(journal.file)) {
        journal.read(line);
      }
    }
    return journal;
  }

  private void read(String line) throws IOException {
    try {
      Done unit = Json.read(line, Done.class);
      done.put(unit.unit(), unit);
    } catch (JsonProcessingException e) {
      // The line is incomplete: the process ended while it was written.
    }
  }

  /** Returns a unit if it is durable in the table, or null. */
  @Nullable Done find(ImportUnit unit, Table table) throws IOException {
    Done found = done.get(unit.name());
    return found != null && found.row().length > 0 && isThere(table, unit, found.row())
        ? found
        : null;
  }

  private static boolean isThere(Table table, ImportUnit unit, byte[] row) throws IOException {
    // Not a get: what was imported may have deleted the row.
    Scan scan =
        new Scan()
            .setStartRow(row)
            .setStopRow(row, Bound.INCLUSIVE)
            .addFamily(unit.family().getBytes(StandardCharsets.US_ASCII))
            .setRaw(true);
    try (ResultScanner scanner = table.scan(scan)) {
      return scanner.next() != null;
    }
  }

  /** Notes units that are durable. */
  void add(List<Done> units) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Done unit : units) {
      // The line before may be incomplete.
      lines.append('\n').append(Json.write(unit)).append('\n');
      done.put(unit.unit(), unit);
    }
    try (FileChannel channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND),
            LocalFiles.ofOwner(file))) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(lines.toString());
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
  }

  /** Ends the import. */
  void finish() throws IOException {
    Files.deleteIfExists(file);
  }
}
