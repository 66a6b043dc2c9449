// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds log files, kept or not, and reads the links that they begin with, for one {@link LogTail}.
 * Not thread-safe.
 *
 * <p>A prepared file has no link for as long as the file before is being written. It stays open
 * until it has one, because opening it each time would ask for its key if it is encrypted.
 */
final class LogBeginnings implements Closeable {
  /**
   * Attempts to find a file, which may be moved to the kept files, or deleted, at the same time.
   */
  private static final int ATTEMPTS = 3;

  private final Storage storage;
  private final KeptLogs kept;

  /** A file that has no link yet, if one was read. */
  private @Nullable RecordTail prepared;

  private long preparedNumber;

  LogBeginnings(Storage storage, KeptLogs kept) {
    this.storage = storage;
    this.kept = kept;
  }

  /** Returns the numbers of all files, oldest first. */
  static SortedSet<Long> numbers(Storage storage, KeptLogs kept) throws IOException {
    // List them in this order, because files move from the log to the kept files.
    SortedSet<Long> numbers = new TreeSet<>(LogFileNames.list(storage));
    numbers.addAll(kept.numbers());
    return numbers;
  }

  /** Opens a file; returns null if there is no such file. */
  static @Nullable RecordTail open(Storage storage, KeptLogs kept, long number, long offset)
      throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      String name = LogFileNames.nameOf(number);
      String found = storage.exists(name) ? name : kept.nameOf(number);
      if (found != null) {
        try {
          return RecordTail.open(storage, found, number, offset);
        } catch (NoSuchFileException e) {
          // The file was just moved or deleted.
        }
      }
    }
    return null;
  }

  /** Returns the link at the beginning of a file; null if there is no such file, or no link yet. */
  static @Nullable LogLink linkOf(Storage storage, KeptLogs kept, long number) throws IOException {
    try (LogBeginnings beginnings = new LogBeginnings(storage, kept)) {
      return beginnings.linkOf(number);
    }
  }

  /** Same for a file that may be asked for again and again until it has a link. */
  @Nullable LogLink linkOf(long number) throws IOException {
    if (number != preparedNumber) {
      close();
    }
    RecordTail file = prepared == null ? open(storage, kept, number, 0) : prepared;
    prepared = null;
    if (file == null) {
      return null;
    }
    boolean waits = false;
    try {
      if (file.next()) {
        file.checkHeader(LogFileNames.headerOf(number, LogFileNames.VERSION_MAX));
        return LogLink.current(file);
      }
      // An encrypted file that was opened before it had a header would never have a record.
      waits = file.hasHeader();
      return null;
    } finally {
      if (waits) {
        prepared = file;
        preparedNumber = number;
      } else {
        file.close();
      }
    }
  }

  /** Closes the file that is open, if any. */
  @Override
  public void close() throws IOException {
    RecordTail needless = prepared;
    prepared = null;
    if (needless != null) {
      needless.close();
    }
  }
}
