// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A file of which the log consists, as a replay finds it. Immutable.
 *
 * @param known what the manifest says of the file; null if it does not say of which files the log
 *     consists
 * @param link null if the beginning of the file was never wholly written, or is damaged
 * @param damage what is wrong with the beginning, or null
 * @param bytes the length of the file; 0 if it is missing
 */
record LogFile(
    long number,
    @Nullable KnownLog known,
    @Nullable LogLink link,
    @Nullable CorruptionException damage,
    long bytes) {

  /**
   * Returns the files of which the log consists, oldest first. Other existing files are not part of
   * it: an earlier replay has left them out, or they were about to be deleted, or they had just
   * been begun and are empty.
   */
  static List<LogFile> all(Storage storage, KnownLogs known) throws IOException {
    List<Long> present = LogFileNames.list(storage);
    TreeSet<Long> numbers = new TreeSet<>();
    known.files().forEach(file -> numbers.add(file.fileNumber()));
    if (!known.isComplete()) {
      numbers.addAll(present);
    }
    List<LogFile> files = new ArrayList<>();
    for (long number : numbers) {
      files.add(
          present.contains(number)
              ? of(storage, number, known.file(number))
              : missing(storage, number, known));
    }
    if (!files.isEmpty() && files.get(files.size() - 1).isUnused()) {
      files.remove(files.size() - 1);
    }
    return files;
  }

  /** Returns whether the log was never continued in this file, if it is the last one. */
  private boolean isUnused() {
    return link == null && damage == null && bytes == RecordFileHeader.BYTES;
  }

  private static LogFile missing(Storage storage, long number, KnownLogs known) {
    KnownLog file = known.file(number);
    CorruptionException damage =
        new CorruptionException(
            storage.path(LogFileNames.nameOf(number)),
            0,
            file != null && file.hasBegun()
                ? "a log file with what is behind sequence number " + file.previousSequence()
                : "a log file",
            "no file");
    return new LogFile(number, file, null, damage, 0);
  }

  private static LogFile of(Storage storage, long number, @Nullable KnownLog known)
      throws IOException {
    long bytes = 0;
    try (RecordReader reader = open(storage, number)) {
      if (reader == null) {
        return new LogFile(number, known, null, headless(storage, number, known), 0);
      }
      bytes = reader.fileBytes();
      if (!reader.next()) {
        if (!mayLack(storage, known, reader)) {
          // Nothing is appended before the link is on the device, so if a record follows, the
          // beginning is damaged and not torn.
          long unused = reader.tornBytes();
        }
        return new LogFile(number, known, null, unwritten(storage, number, known), bytes);
      }
      LogLink link = LogLink.current(reader);
      if (link == null) {
        throw new CorruptionException(
            reader.path(), RecordFileHeader.BYTES, "a link to the file before", "another record");
      }
      if (known != null
          && known.hasBegun()
          && known.previousSequence() != link.previousSequence()) {
        throw new CorruptionException(
            reader.path(),
            RecordFileHeader.BYTES,
            "a link behind sequence number " + known.previousSequence(),
            "one behind " + link.previousSequence());
      }
      return new LogFile(number, known, link, null, bytes);
    } catch (CorruptionException e) {
      return new LogFile(number, known, null, e, bytes);
    }
  }

  /**
   * Returns whether a loss of power may have taken the first link of a file and kept later records:
   * the file was prepared, and no link of it says that anything behind its header was on the
   * device.
   */
  private static boolean mayLack(Storage storage, @Nullable KnownLog known, RecordReader reader)
      throws IOException {
    return known != null
        && !known.hasBegun()
        && reader.isFilled()
        && linksOf(storage, known.fileNumber()).stream()
            .allMatch(link -> link.durableBytes() <= RecordFileHeader.BYTES);
  }

  /**
   * Returns the damage of a file whose beginning is missing although it was on the device, because
   * the manifest says that the file has begun.
   */
  private static @Nullable CorruptionException unwritten(
      Storage storage, long number, @Nullable KnownLog known) {
    return known == null || !known.hasBegun() ? null : missing(storage, number, "beginning");
  }

  /**
   * Returns the damage of a file without a header, which may hide all that it holds if it is
   * encrypted. The header was on the device before the manifest named the file.
   */
  private static @Nullable CorruptionException headless(
      Storage storage, long number, @Nullable KnownLog known) {
    return known == null ? null : missing(storage, number, "header");
  }

  private static CorruptionException missing(Storage storage, long number, String part) {
    return new CorruptionException(
        storage.path(LogFileNames.nameOf(number)),
        0,
        "the " + part + " of a log file, which was on the device",
        "none");
  }

  static @Nullable RecordReader open(Storage storage, long number) throws IOException {
    return RecordReader.open(
        storage,
        LogFileNames.nameOf(number),
        LogFileNames.headerOf(number, LogFileNames.VERSION_MAX));
  }

  static RecordReader openUnchecked(Storage storage, long number) throws IOException {
    return RecordReader.openUnchecked(storage, LogFileNames.nameOf(number), number);
  }

  /** Returns all sound links of a file, wherever they are; none if the file is missing. */
  static List<LogLink> linksOf(Storage storage, long number) throws IOException {
    return linksOf(storage, LogFileNames.nameOf(number), number);
  }

  /** Returns all sound links of a file of a name, wherever they are; none if it is missing. */
  private static List<LogLink> linksOf(Storage storage, String name, long number)
      throws IOException {
    List<LogLink> links = new ArrayList<>();
    if (!storage.exists(name)) {
      return links;
    }
    try (RecordReader reader = RecordReader.openUnchecked(storage, name, number)) {
      do {
        while (reader.next()) {
          LogLink link = LogLink.current(reader);
          if (link != null) {
            links.add(link);
          }
        }
      } while (reader.skipUnsound() > 0);
    }
    return links;
  }

  /**
   * Returns whether a loss of power may have taken what is behind the sound records of a file and
   * kept later ones: the file was filled in advance, so any page may be lost or kept, and no link
   * of it, wherever it is, says that more than those records was on the device.
   */
  static boolean mayHaveGap(Storage storage, String name, long number, RecordReader reader)
      throws IOException {
    return reader.isFilled()
        && linksOf(storage, name, number).stream()
            .allMatch(link -> link.durableBytes() <= reader.soundBytes());
  }

  /** Returns the length of this file that the next one states; the maximum if it states none. */
  long bytesBefore(@Nullable LogFile next) {
    LogLink nextLink = next == null ? null : next.link;
    return nextLink != null && nextLink.previousNumber() == number
        ? nextLink.previousBytes()
        : Long.MAX_VALUE;
  }

  /** Returns all sound links of this file, wherever they are. */
  List<LogLink> links(Storage storage) throws IOException {
    return linksOf(storage, number);
  }
}
