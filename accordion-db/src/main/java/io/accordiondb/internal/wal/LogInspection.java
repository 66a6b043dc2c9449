// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.Locale;

/**
 * Reports the contents of a log file record by record, and continues behind damage. Another process
 * may write to the file at the same time. Belongs to one thread.
 */
public final class LogInspection {
  /** Receives the contents of the file. */
  public interface Visitor {
    /** Receives a link, with its description in words. */
    void link(RecordReader at, String words) throws IOException;

    /** Receives a batch, which is the reader's current record. */
    void batch(RecordReader at) throws IOException;

    /** Called when the sound records end before the file does, as after a crash. */
    void tornTail(long offset, long bytes) throws IOException;

    /** Called at damage. */
    void damage(long offset, IOException cause) throws IOException;
  }

  private LogInspection() {}

  /** Reports the log file with a name. */
  public static void read(Storage storage, String name, long number, Visitor visitor)
      throws IOException {
    checkHeader(storage, name, number, visitor);
    try (RecordReader reader = RecordReader.openUnchecked(storage, name, number)) {
      boolean more = true;
      while (more) {
        while (reader.next()) {
          show(reader, visitor);
        }
        more = passUnsound(reader, visitor);
      }
    }
  }

  private static void checkHeader(Storage storage, String name, long number, Visitor visitor)
      throws IOException {
    RecordFileHeader expected = LogFileNames.headerOf(number, LogFileNames.VERSION_MAX);
    try (RecordReader reader = RecordReader.open(storage, name, expected)) {
      if (reader == null) {
        visitor.tornTail(0, storage.size(name));
      }
    } catch (CorruptionException | FormatVersionException e) {
      visitor.damage(0, e);
    }
  }

  private static void show(RecordReader reader, Visitor visitor) throws IOException {
    LogLink link;
    try {
      link = LogLink.current(reader);
    } catch (CorruptionException e) {
      visitor.damage(e.offset(), e);
      return;
    }
    if (link == null) {
      visitor.batch(reader);
    } else {
      visitor.link(reader, words(link));
    }
  }

  private static String words(LogLink link) {
    StringBuilder words = new StringBuilder();
    if (link.previousNumber() == 0) {
      words.append("no file before");
    } else {
      words.append(
          String.format(
              Locale.ROOT,
              "behind file %d of %d bytes",
              link.previousNumber(),
              link.previousBytes()));
    }
    words.append(", sequence ").append(link.previousSequence());
    if (link.durableNumber() > 0) {
      words.append("; on the device: files up to ").append(link.durableNumber());
    }
    if (link.durableBytes() > 0) {
      words.append("; on the device: this one up to offset ").append(link.durableBytes());
    }
    if (link.manifest().fileNumber() > 0) {
      words.append(
          String.format(
              Locale.ROOT,
              "; manifest %d has %d commits",
              link.manifest().fileNumber(),
              link.manifest().records()));
    }
    return words.toString();
  }

  /** Skips unsound bytes; returns whether sound records follow. */
  private static boolean passUnsound(RecordReader reader, Visitor visitor) throws IOException {
    long offset = reader.soundBytes();
    try {
      long torn = reader.tornBytes();
      if (torn > 0) {
        visitor.tornTail(offset, torn);
      }
      return false;
    } catch (CorruptionException e) {
      visitor.damage(e.offset(), e);
      return reader.skipUnsound() > 0;
    }
  }
}
