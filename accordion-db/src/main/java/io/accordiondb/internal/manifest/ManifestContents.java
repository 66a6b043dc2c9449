// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * The contents of a manifest when it was read. Immutable.
 *
 * @param version the version that results from all its edits
 * @param mark the manifest file and the number of its commits
 * @param path the path of that file, for messages
 * @param logBytes the length of the newest log file if the database was closed in order; else 0
 */
public record ManifestContents(Version version, RecordMark mark, String path, long logBytes) {
  /** No writer ever reaches this number. It has as many digits as the names of files have. */
  private static final long READER_NUMBERS = 500_000_000_000L;

  /**
   * Reads the manifest in force in a folder, and changes nothing there.
   *
   * @throws io.accordiondb.CorruptionException if the manifest is damaged, or older than the files
   *     beside it
   */
  public static ManifestContents read(Storage storage) throws IOException {
    FileNumbers numbers = FileNumbers.of(storage);
    CurrentFile.Current current = CurrentFile.read(storage);
    CurrentFile.Lengths lengths = current.lengths();
    ManifestFile.Replayed replayed =
        ManifestFile.replay(storage, current.manifest(), lengths != null);
    numbers.check(storage, replayed.version());
    return new ManifestContents(
        replayed.version(),
        new RecordMark(current.manifest(), replayed.commits()),
        storage.path(ManifestFile.nameOf(current.manifest())),
        lengths == null ? 0 : lengths.log());
  }

  /**
   * Durably writes a version as the manifest of a folder that has none. New numbers in that folder
   * will be above those that the version knows.
   */
  public static void write(Storage storage, Version version) throws IOException {
    prepare(storage, version);
    CurrentFile.switchTo(storage);
  }

  /**
   * Same as {@link #write}, in a folder that a file marks as unfinished: there is always either the
   * mark or the file that makes the folder a database.
   */
  public static void write(Storage storage, Version version, String mark) throws IOException {
    prepare(storage, version);
    CurrentFile.switchTo(storage, mark);
  }

  private static void prepare(Storage storage, Version version) throws IOException {
    long number = version.nextNumber();
    Version next = version.apply(List.of(new VersionEdit.SetNextNumber(number + 1)));
    ManifestFile.create(storage, number, next).close();
    CurrentFile.prepare(storage, number);
  }

  /**
   * Returns the same contents for a reader that keeps its own files in memory. They get numbers
   * that no writer uses: another process may have begun files since its manifest was read, and none
   * of them may have the number of one of these.
   */
  public ManifestContents forReader() {
    VersionEdit numbers = new VersionEdit.SetNextNumber(READER_NUMBERS);
    return new ManifestContents(version.apply(List.of(numbers)), mark, path, logBytes);
  }
}
