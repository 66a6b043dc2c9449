// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the log shows about the manifest: how many commits it had, and which log files it knew. A
 * commit of the manifest is on the device before the log mentions it, so a manifest that has lost
 * its end is noticed even if the rest of it is sound. Immutable.
 *
 * @param manifest the highest number of commits in any link
 * @param highestFile the highest number of a log file that holds a batch, if that is above the
 *     highest number that the manifest knew; else 0
 */
public record LogWitness(RecordMark manifest, long highestFile) {

  /**
   * Reads the first link of each file, and the newest file that has begun whole. Damaged files are
   * ignored.
   *
   * @param highestKnown the highest number of a log file that the manifest knew of; 0 if it does
   *     not say
   */
  public static LogWitness of(Storage storage, long highestKnown) throws IOException {
    List<Long> numbers = LogFileNames.list(storage);
    RecordMark manifest = RecordMark.NONE;
    long highestFile = 0;
    boolean newerHasBegun = false;
    for (int i = numbers.size() - 1; i >= 0; i--) {
      long number = numbers.get(i);
      boolean isNew = highestKnown > 0 && number > highestKnown;
      boolean isWhole = isNew || number == highestKnown || !newerHasBegun;
      try (RecordReader reader = LogFile.openUnchecked(storage, number)) {
        boolean more = true;
        while (more) {
          while (reader.next()) {
            LogLink link = linkOf(reader);
            if (link != null && link.manifest().compareTo(manifest) > 0) {
              manifest = link.manifest();
            }
            newerHasBegun |= !isNew;
            if (isNew && reader.count() > 0) {
              highestFile = Math.max(highestFile, number);
            }
            if (!isWhole) {
              break;
            }
          }
          more = isWhole && reader.skipUnsound() > 0;
        }
      }
    }
    return new LogWitness(manifest, highestFile);
  }

  private static @Nullable LogLink linkOf(RecordReader reader) {
    try {
      return LogLink.current(reader);
    } catch (CorruptionException e) {
      return null;
    }
  }

  /**
   * Checks that a manifest is not older than the log.
   *
   * @param manifestPath its path, for messages
   * @param commits the commits that the manifest has
   * @param highestKnown the highest number of a log file that it knows of; 0 if it does not say
   * @throws CorruptionException if it is older
   */
  public void check(String manifestPath, RecordMark commits, long highestKnown)
      throws CorruptionException {
    if (manifest.compareTo(commits) > 0) {
      throw older(
          manifestPath,
          "at least " + nameOf(manifest) + ", of which the log tells",
          nameOf(commits));
    }
    if (highestKnown > 0 && highestFile > highestKnown) {
      throw older(
          manifestPath,
          "the log file " + LogFileNames.nameOf(highestFile),
          "log files up to " + highestKnown);
    }
  }

  private static String nameOf(RecordMark mark) {
    return "commit " + mark.records() + " of manifest " + mark.fileNumber();
  }

  private static CorruptionException older(String path, String expected, String found) {
    return new CorruptionException(
        path, 0, expected, found + ": the manifest has lost its end; repair the database");
  }
}
