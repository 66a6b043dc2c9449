// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.RecoveryMode;
import io.accordiondb.VerificationReport.Problem;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogReplay;
import io.accordiondb.internal.wal.WriteAheadLog;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Finds sound batches in the log behind the place where a replay ends. */
final class LeftOutBatches {
  private LeftOutBatches() {}

  /**
   * Returns a problem if there are sound batches that a replay has left out, else null.
   *
   * @param replayed a replay of the same log that has ended
   */
  static @Nullable Problem find(Storage storage, KnownLogs logs, LogReplay replayed)
      throws IOException {
    if (replayed.droppedBytes() == 0) {
      return null;
    }
    LogReplay all = new LogReplay(storage, RecoveryMode.SALVAGE, logs);
    all.replay((payload, firstSequence, count, source) -> {});
    long leftOut = all.records() - replayed.records();
    return leftOut <= 0
        ? null
        : new Problem(
            storage.path(WriteAheadLog.DIRECTORY),
            leftOut
                + " sound batches behind sequence number "
                + replayed.lastSequence()
                + " are left out when the database is opened, because what stands before them is"
                + " not sound: power was lost before it was on the device, or it is damaged;"
                + " recovery mode SALVAGE keeps them");
  }
}
