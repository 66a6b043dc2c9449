// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordMark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the manifest says about the log. Immutable.
 *
 * @param files the files of which the log consists, oldest first
 * @param highest the highest number of a file that was ever part of the log; 0 if the manifest does
 *     not say, because an older version of this software has written it: then the log consists of
 *     all existing log files
 * @param newestBytes the length of the newest file if the database was closed; else 0
 * @param end the commit of the manifest behind which the log must not be read, or null
 */
public record KnownLogs(
    List<KnownLog> files, long highest, long newestBytes, @Nullable RecordMark end) {
  /** An instance without any knowledge. */
  public static final KnownLogs NONE = new KnownLogs(List.of(), 0, 0, null);

  /** Copies the list, so that the record is immutable. */
  public KnownLogs {
    files = List.copyOf(files);
  }

  /** Returns a copy with an end. */
  public KnownLogs until(RecordMark mark) {
    return new KnownLogs(files, highest, newestBytes, mark);
  }

  /** Returns whether the manifest states of which files the log consists. */
  boolean isComplete() {
    return highest > 0;
  }

  @Nullable KnownLog file(long number) {
    return files.stream().filter(file -> file.fileNumber() == number).findFirst().orElse(null);
  }
}
