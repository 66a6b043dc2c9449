// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.cli.hfile.HFileForm;
import io.accordiondb.cli.text.Json;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What an export that is in progress has written, so that the next run continues. It is a file of
 * lines in a hidden folder of the target: first the plan, then a line for each part once its files
 * have their names and are on the device. A {@link JournalLine} that is incomplete or damaged
 * counts for nothing. Not thread-safe.
 */
final class ExportJournal {
  /** HBase's bulk load takes no folder for a family whose name begins with a dot. */
  private static final String FOLDER = ".accordion-export";

  private static final String FILE = "journal";

  private final Path folder;
  private final Map<String, Part> parts = new TreeMap<>();

  private ExportJournal(Path target) {
    this.folder = target.resolve(FOLDER);
  }

  /**
   * What is exported.
   *
   * @param table the name of the table
   * @param sequenceNumber the last write that the files hold
   * @param splits rows at which regions begin, but the first
   * @param form what the files look like
   */
  record Plan(String table, long sequenceNumber, List<byte[]> splits, HFileForm form) {}

  /**
   * A region of a family, whose files are complete.
   *
   * @param name the family and the number of the region
   * @param files how many files it has
   * @param cells cells in them
   * @param bytes their sizes together
   * @param resolvedRows rows that were written without their markers
   */
  record Part(String name, int files, long cells, long bytes, long resolvedRows) {}

  /** Checks that a folder is missing, empty, or one whose export was interrupted. */
  static void checkTarget(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new NotDirectoryException(target.toString());
    }
    if (Files.exists(target.resolve(FOLDER))) {
      return;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
      if (entries.iterator().hasNext()) {
        throw new DirectoryNotEmptyException(target.toString());
      }
    }
  }

  /**
   * Begins an export, or continues the one that the target holds.
   *
   * @throws IOException if that is another one, the table has changed since, or the line with the
   *     plan is damaged
   */
  static ExportJournal open(Path target, Plan plan) throws IOException {
    ExportJournal journal = new ExportJournal(target);
    Files.createDirectories(journal.folder);
    journal.deleteUnfinished();
    List<String> lines = journal.lines();
    if (lines.isEmpty()) {
      journal.append(plan, StandardOpenOption.TRUNCATE_EXISTING);
      LocalFiles.force(journal.folder);
      return journal;
    }
    journal.checkSame(target, JournalLine.contentOf(lines.get(0)), Json.write(plan));
    for (String line : lines.subList(1, lines.size())) {
      String content = JournalLine.contentOf(line);
      if (content != null) {
        Part part = Json.read(content, Part.class);
        journal.parts.put(part.name(), part);
      }
    }
    return journal;
  }

  private void checkSame(Path target, @Nullable String begun, String wanted) throws IOException {
    if (begun == null) {
      throw new IOException(
          folder.resolve(FILE)
              + " is damaged, so the export cannot be continued; delete the folder "
              + target
              + ", or give another one");
    }
    if (!begun.equals(wanted)) {
      throw new IOException(
          target
              + " holds a part of another export, or the database was written to since it began;"
              + " delete the folder, or give another one (begun: "
              + begun
              + ", now: "
              + wanted
              + ")");
    }
  }

  /** Returns the complete lines. */
  private List<String> lines() throws IOException {
    Path file = folder.resolve(FILE);
    if (!Files.exists(file)) {
      return List.of();
    }
    byte[] bytes = Files.readAllBytes(file);
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    if (end < bytes.length) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(end);
      }
    }
    return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
  }

  /** Returns a part if it is complete, or null. */
  @Nullable Part find(String name) {
    return parts.get(name);
  }

  /** Returns all complete parts. */
  Iterable<Part> parts() {
    return parts.values();
  }

  /** Notes that a part is complete. */
  void add(Part part) throws IOException {
    append(part, StandardOpenOption.APPEND);
    parts.put(part.name(), part);
  }

  /** Returns where files are written until they are complete. */
  Path unfinished(String name) {
    return folder.resolve(name);
  }

  private void append(Object content, StandardOpenOption how) throws IOException {
    Path file = folder.resolve(FILE);
    String line = JournalLine.of(content);
    Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
    LocalFiles.force(file);
  }

  private void deleteUnfinished() throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (!entry.endsWith(FILE)) {
          Files.delete(entry);
        }
      }
    }
  }

  /** Ends the export: nothing but its files stays. */
  void finish() throws IOException {
    deleteUnfinished();
    Files.delete(folder.resolve(FILE));
    Files.delete(folder);
  }
}
