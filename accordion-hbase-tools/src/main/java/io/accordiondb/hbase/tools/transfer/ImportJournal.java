// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Database;
import io.accordiondb.KeyProvider;
import io.accordiondb.cli.text.Json;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.TableOutline;
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
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Which files of an import are durable in the database, so that the next run continues behind them.
 * It is a file in the folder of the database, with a {@link JournalLine} for each unit; one that is
 * incomplete or damaged counts for nothing. Not thread-safe.
 *
 * <p>The file shares the fate of the folder: where a backup is restored, there is no journal. Nor
 * is there one after a repair, which may have lost cells. A line counts only for the contents to
 * which the unit was written, so for none that came after a table was dropped or truncated.
 */
final class ImportJournal {
  private final Path file;
  private final Map<String, String> contents;
  private final Map<String, Done> done = new HashMap<>();

  private ImportJournal(Path file, Map<String, String> contents) {
    this.file = file;
    this.contents = contents;
  }

  /**
   * A unit that is durable.
   *
   * @param unit its name
   * @param contents identity of the contents of its family
   * @param cells cells that were written
   * @param droppedTags tags that were left out
   */
  private record Done(String unit, String contents, long cells, long droppedTags) {}

  /**
   * What was written of a unit.
   *
   * @param cells cells that were written
   * @param droppedTags tags that were left out
   */
  record Written(ImportUnit unit, long cells, long droppedTags) {}

  /**
   * Opens the journal of an import.
   *
   * @param folder the folder of the database, which is open
   * @param table the name of the table that receives the cells
   * @param task what is imported, and where to; each task has a journal of its own
   */
  static ImportJournal open(Path folder, Database database, String table, String task)
      throws IOException {
    CRC32 checksum = new CRC32();
    checksum.update(task.getBytes(StandardCharsets.UTF_8));
    ImportJournal journal =
        new ImportJournal(
            folder.resolve("import-" + Long.toHexString(checksum.getValue())),
            contentsOf(folder, database, table));
    if (Files.exists(journal.file)) {
      byte[] lines = Files.readAllBytes(journal.file);
      for (String line : new String(lines, StandardCharsets.UTF_8).lines().toList()) {
        journal.read(line);
      }
    }
    return journal;
  }

  /** Returns the identities of the contents of a table's families. */
  private static Map<String, String> contentsOf(Path folder, Database database, String name)
      throws IOException {
    Optional<KeyProvider> keys = database.options().encryption();
    Inspector inspector =
        keys.isPresent() ? Inspector.open(folder, keys.get()) : Inspector.open(folder);
    Map<String, String> contents = new HashMap<>();
    for (TableOutline table : inspector.tables()) {
      if (table.name().equals(name)) {
        for (TableOutline.Family family : table.families()) {
          // A copy of a table shares the identities of its families.
          contents.put(family.name(), table.id() + "/" + family.id());
        }
      }
    }
    return contents;
  }

  private void read(String line) throws IOException {
    String content = JournalLine.contentOf(line);
    if (content != null) {
      Done unit = Json.read(content, Done.class);
      done.put(unit.unit(), unit);
    }
  }

  /** Returns what was written of a unit if that is durable in the table, or null. */
  @Nullable Written find(ImportUnit unit) {
    Done found = done.get(unit.name());
    return found != null && contentsOf(unit).equals(found.contents())
        ? new Written(unit, found.cells(), found.droppedTags())
        : null;
  }

  private String contentsOf(ImportUnit unit) {
    return Objects.requireNonNull(contents.get(unit.family()), unit.family());
  }

  /** Notes units that are durable. */
  void add(List<Written> units) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Written each : units) {
      ImportUnit unit = each.unit();
      Done line = new Done(unit.name(), contentsOf(unit), each.cells(), each.droppedTags());
      // The line before may be incomplete.
      lines.append('\n').append(JournalLine.of(line));
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
