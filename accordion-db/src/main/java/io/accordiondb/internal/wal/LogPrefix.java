// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;

/**
 * The part of a log file that can be copied while another process may write to it. Immutable.
 *
 * @param bytes from the beginning of the file on, which are whole records that no longer change
 * @param isCut whether sound records follow that belong to later commits of the manifest
 */
public record LogPrefix(long bytes, boolean isCut) {
  /**
   * Returns the part of a file that belongs to a manifest: up to the first record that is not
   * sound, or that mentions a later commit of the manifest.
   */
  public static LogPrefix of(Storage storage, long number, RecordMark manifest) throws IOException {
    try (RecordReader reader =
        RecordReader.openUnchecked(storage, LogFileNames.nameOf(number), number)) {
      long bytes = reader.soundBytes();
      while (reader.next()) {
        LogLink link = LogLink.current(reader);
        if (link != null && link.manifest().compareTo(manifest) > 0) {
          return new LogPrefix(bytes, true);
        }
        bytes = reader.soundBytes();
      }
      return new LogPrefix(bytes, false);
    }
  }
}
