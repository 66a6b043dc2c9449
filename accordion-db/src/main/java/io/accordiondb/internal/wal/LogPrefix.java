// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a log file that can be copied while another process may write to it. Immutable.
 *
 * @param bytes from the beginning of the file on, which are whole records that no longer change
 * @param isCut whether sound records follow that belong to later commits of the manifest
 * @param previousNumber the number of the file before, as the first record says; 0 for none
 * @param previousBytes the length that the file before was given
 */
public record LogPrefix(long bytes, boolean isCut, long previousNumber, long previousBytes) {
  /**
   * Returns the part of a file that belongs to a manifest: up to the first record that is not
   * sound, or that mentions a later commit of the manifest, or up to where the next file says that
   * it ends.
   *
   * @param next of the next file; null if there is none
   * @throws CorruptionException if the record that is not sound is damaged, and not what a crash or
   *     a write in progress leaves
   */
  public static LogPrefix of(
      Storage storage, long number, RecordMark manifest, @Nullable LogPrefix next)
      throws IOException {
    long end = next != null && next.previousNumber == number ? next.previousBytes : Long.MAX_VALUE;
    try (RecordReader reader = LogFile.openUnchecked(storage, number)) {
      LogLink first = null;
      boolean isCut = false;
      long bytes = reader.soundBytes();
      while (!isCut && bytes < end && reader.next()) {
        LogLink link = LogLink.current(reader);
        first = first == null ? link : first;
        isCut = link != null && link.manifest().compareTo(manifest) > 0;
        bytes = isCut ? bytes : reader.soundBytes();
      }
      if (!isCut && bytes < end) {
        checkTear(storage, number, reader);
      }
      return first == null
          ? new LogPrefix(bytes, isCut, 0, 0)
          : new LogPrefix(bytes, isCut, first.previousNumber(), first.previousBytes());
    }
  }

  /** Checks that no records follow the sound ones that a crash would not have left. */
  private static void checkTear(Storage storage, long number, RecordReader reader)
      throws IOException {
    try {
      long unused = reader.tornBytes();
    } catch (CorruptionException e) {
      if (!LogFile.mayHaveGap(storage, LogFileNames.nameOf(number), number, reader)) {
        throw e;
      }
    }
  }
}
