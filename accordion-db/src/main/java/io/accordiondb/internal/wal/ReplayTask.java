// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * Describes the log that a replay reads. Immutable.
 *
 * @param known what the manifest says about the log
 * @param files the files of which it consists, oldest first
 * @param fromSequence the oldest sequence number that is needed; 0 for all that exist
 */
record ReplayTask(
    Storage storage,
    KnownLogs known,
    List<LogFile> files,
    long fromSequence,
    RecordConsumer consumer) {

  /** Returns whether a file exists. */
  boolean exists(LogFile file) throws IOException {
    return storage.exists(LogFileNames.nameOf(file.number()));
  }

  /** Returns the path of a file, for messages. */
  String pathOf(long fileNumber) {
    return storage.path(LogFileNames.nameOf(fileNumber));
  }
}
