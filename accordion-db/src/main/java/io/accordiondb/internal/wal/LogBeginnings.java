// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordTail;
import io.accordiondb.internal.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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

  /** Returns the names of all files by their numbers, oldest first. */
  static SortedMap<Long, String> names(Storage storage, KeptLogs kept) throws IOException {
    // List them in this order, because files move from the log to the kept files.
    SortedMap<Long, String> names = namesInLog(storage);
    // The name of a kept file stays for longer.
    names.putAll(kept.names());
    return names;
  }

  /** Returns the names of the files that are in the log by their numbers, oldest first. */
  static SortedMap<Long, String> namesInLog(Storage storage) throws IOException {
    SortedMap<Long, String> names = new TreeMap<>();
    for (long number : LogFileNames.list(storage)) {
      names.put(number, LogFileNames.nameOf(number));
    }
    return names;
  }

  /**
   * Returns the last sequence number before each file by the number of the file, oldest first, as
   * far as the files say it.
   */
  static SortedMap<Long, Long> lastSequencesBefore(Storage storage, KeptLogs kept)
      throws IOException {
    SortedMap<Long, Long> sequences = new TreeMap<>();
    try (LogBeginnings beginnings = new LogBeginnings(storage, kept)) {
      for (Map.Entry<Long, String> file : names(storage, kept).entrySet()) {
        LogLink link = beginnings.linkOf(file.getKey(), file.getValue());
        if (link != null) {
          sequences.put(file.getKey(), link.previousSequence());
        }
      }
    }
    return sequences;
  }

  /** Opens a file that was listed, by its name if it still has it. */
  static @Nullable RecordTail open(Storage storage, KeptLogs kept, long number, String listed)
      throws IOException {
    try {
      return RecordTail.open(storage, listed, number, 0);
    } catch (NoSuchFileException e) {
      return open(storage, kept, number, 0);
    }
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
      return beginnings.linkOf(number, LogFileNames.nameOf(number));
    }
  }

  /**
   * Same for a file that was listed, and may be asked for again and again until it has a link.
   *
   * @param listed the name of the file, as far as is known
   */
  @Nullable LogLink linkOf(long number, String listed) throws IOException {
    if (number != preparedNumber) {
      close();
    }
    RecordTail file = prepared == null ? open(storage, kept, number, listed) : prepared;
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
