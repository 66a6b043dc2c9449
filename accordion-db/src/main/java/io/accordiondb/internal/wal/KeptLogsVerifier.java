// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Verifies the kept log files by reading every byte of them. */
public final class KeptLogsVerifier {
  private final Storage storage;
  private final KeptLogs kept;

  public KeptLogsVerifier(Storage storage, KeptLogs kept) {
    this.storage = storage;
    this.kept = kept;
  }

  /**
   * Returns the problems of the files.
   *
   * @param batches is given each batch
   */
  public List<CorruptionException> problems(IoConsumer<RecordReader> batches) throws IOException {
    List<CorruptionException> problems = new ArrayList<>();
    TreeSet<Long> numbers = new TreeSet<>(kept.numbers());
    for (long number : List.copyOf(numbers)) {
      try {
        verify(number, batches);
      } catch (CorruptionException e) {
        problems.add(e);
      }
    }
    return problems;
  }

  private void verify(long number, IoConsumer<RecordReader> batches) throws IOException {
    String name = kept.nameOf(number);
    if (name == null) {
      return;
    }
    try (RecordReader reader =
        RecordReader.open(storage, name, LogFileNames.headerOf(number, LogFileNames.VERSION_MAX))) {
      if (reader == null) {
        throw new CorruptionException(storage.path(name), 0, "a log file", "no beginning of one");
      }
      long bytes = bytesOf(number, reader.fileBytes());
      boolean isFirst = true;
      while (reader.soundBytes() < bytes && reader.next()) {
        boolean isLink = LogLink.current(reader) != null;
        if (isFirst && !isLink) {
          break;
        }
        isFirst = false;
        if (!isLink) {
          batches.accept(reader);
        }
      }
      if (isFirst || (reader.soundBytes() < bytes && !isTorn(number, reader))) {
        throw reader.tornException();
      }
    }
  }

  /**
   * Returns whether a file ends with the rest of a failed write. The file behind it said so, but a
   * salvage has left that one out and begun another log.
   *
   * @throws CorruptionException if sound records follow that rest
   */
  private boolean isTorn(long number, RecordReader reader) throws IOException {
    LogLink link = null;
    for (long later : later(number)) {
      link = link == null ? linkOf(later) : link;
    }
    return link != null && link.previousNumber() != number && reader.tornBytes() > 0;
  }

  private SortedSet<Long> later(long number) throws IOException {
    TreeSet<Long> numbers = new TreeSet<>(kept.numbers());
    numbers.addAll(LogFileNames.list(storage));
    return numbers.tailSet(number, false);
  }

  /**
   * Returns the length that the next file states for this one, or its actual length if there is
   * none.
   */
  private long bytesOf(long number, long fileBytes) throws IOException {
    for (long next : later(number)) {
      LogLink link = linkOf(next);
      if (link != null && link.previousNumber() == number) {
        return link.previousBytes();
      }
    }
    return fileBytes;
  }

  private @Nullable LogLink linkOf(long number) throws IOException {
    String keptName = kept.nameOf(number);
    String name = keptName == null ? LogFileNames.nameOf(number) : keptName;
    try (RecordReader reader =
        RecordReader.open(storage, name, LogFileNames.headerOf(number, LogFileNames.VERSION_MAX))) {
      return reader != null && reader.next() ? LogLink.current(reader) : null;
    } catch (CorruptionException e) {
      // The problem is reported when that file is verified.
      return null;
    }
  }
}
