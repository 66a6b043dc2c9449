// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.commit.BatchReader;
import io.accordiondb.internal.commit.MalformedBatchException;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.RegionNames;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.KeptLogsVerifier;
import io.accordiondb.internal.wal.KnownLogs;
import io.accordiondb.internal.wal.LogReplay;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds what a newer version of this software has written into the log and the kept log. A repair
 * must know that before it changes anything, not when it comes to these files.
 */
final class NewerLogs {
  private NewerLogs() {}

  /**
   * Checks that all files are of known versions, and all sound records in front of the first damage
   * of the log are known.
   *
   * @throws FormatVersionException if not; nothing has been changed
   */
  static void refuse(Storage storage, KnownLogs logs) throws IOException {
    try {
      new LogReplay(storage, RecoveryMode.TOLERATE_TORN_TAIL, logs).replay(NewerLogs::check);
    } catch (CorruptionException e) {
      // The repair finds it again, and salvages the log.
    }
    refuse(
        () ->
            new KeptLogsVerifier(storage, KeptLogs.asTheyAre(storage)).problems(NewerLogs::check));
    refuse(() -> RegionNames.verify(storage));
  }

  private static void refuse(IoRunnable reading) throws FormatVersionException {
    try {
      reading.run();
    } catch (FormatVersionException e) {
      throw e;
    } catch (IOException e) {
      // The repair finds it again. What cannot be read stays as it is.
    }
  }

  /** Checks a record that is replayed, a batch. */
  static void check(ByteBuffer payload, long firstSequence, int count, LogReplay.Source source)
      throws FormatVersionException {
    check(payload, firstSequence, count, source.file() + ", offset " + source.offset());
  }

  /** Checks the current record of a log file, a batch. */
  static void check(RecordReader reader) throws FormatVersionException {
    check(
        reader.payload(),
        reader.firstSequence(),
        reader.count(),
        reader.path() + ", offset " + reader.start());
  }

  private static void check(ByteBuffer payload, long firstSequence, int count, String place)
      throws FormatVersionException {
    try {
      BatchReader.read(payload, firstSequence, count);
    } catch (MalformedBatchException e) {
      throw e.newer(place);
    }
  }
}
