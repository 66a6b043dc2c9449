// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.function.IoConsumer;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  /** Returns descriptions of the gaps: files behind the oldest kept one that are missing. */
  public List<String> gaps() throws IOException {
    List<String> gaps = new ArrayList<>();
    TreeSet<Long> numbers = new TreeSet<>(kept.numbers());
    if (numbers.isEmpty()) {
      return gaps;
    }
    numbers.addAll(LogFileNames.list(storage));
    for (long number : numbers.tailSet(numbers.first(), false)) {
      LogLink link = linkOf(number);
      long before = link == null ? 0 : link.previousNumber();
      if (before > numbers.first() && !numbers.contains(before)) {
        gaps.add(
            "the kept log has a gap before "
                + storage.path(nameOf(number))
                + ": file "
                + before
                + " is missing, so change feeds and restores lack its writes");
      }
    }
    return gaps;
  }

  private String nameOf(long number) throws IOException {
    String keptName = kept.nameOf(number);
    return keptName == null ? LogFileNames.nameOf(number) : keptName;
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
      LogLink behind = linkBehind(number);
      boolean isOfAnotherLog = behind != null && behind.previousNumber() != number;
      long bytes = behind == null || isOfAnotherLog ? reader.fileBytes() : behind.previousBytes();
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
      if (isFirst || (reader.soundBytes() < bytes && !(isOfAnotherLog && isTear(reader, number)))) {
        throw reader.tornException();
      }
    }
  }

  /**
   * Returns whether no damage is what follows the sound records of a file behind which another log
   * was begun. It may be what a loss of power has left. Or the file behind it said that it ends
   * before the rest of a failed write, but a salvage has left that file out.
   *
   * @throws CorruptionException if it is damage in front of sound records
   */
  private boolean isTear(RecordReader reader, long number) throws IOException {
    return LogFile.mayHaveGap(storage, nameOf(number), number, reader) || reader.tornBytes() > 0;
  }

  /**
   * Returns the link of the file that follows a file; else the first link behind it, of another
   * log; null if there is none.
   */
  private @Nullable LogLink linkBehind(long number) throws IOException {
    TreeSet<Long> later = new TreeSet<>(kept.numbers());
    later.addAll(LogFileNames.list(storage));
    LogLink first = null;
    for (long next : later.tailSet(number, false)) {
      LogLink link = linkOf(next);
      if (link != null && link.previousNumber() == number) {
        return link;
      }
      first = first == null ? link : first;
    }
    return first;
  }

  private @Nullable LogLink linkOf(long number) throws IOException {
    try (RecordReader reader =
        RecordReader.open(
            storage, nameOf(number), LogFileNames.headerOf(number, LogFileNames.VERSION_MAX))) {
      return reader != null && reader.next() ? LogLink.current(reader) : null;
    } catch (CorruptionException e) {
      // The problem is reported when that file is verified.
      return null;
    }
  }
}
