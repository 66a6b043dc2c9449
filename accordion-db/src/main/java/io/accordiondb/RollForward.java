// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Has a copy of a database follow the log to a later moment.
 *
 * <pre>{@code
 * database.checkpoint(monday);                                     // Each with logRetention, so
 * database.checkpoint(tuesday, LogExtent.KEPT);                    // that the log is kept.
 * RollForward.apply(
 *     monday, tuesday, RestorePoint.time(noon), DatabaseOptions.defaults());
 * }</pre>
 *
 * <p>Batches of the log are written to the copy, whole and in their order, and tables are created,
 * altered, emptied and dropped as the log says. The copy counts its own sequence numbers from then
 * on. It has neither what was written with {@link Durability#SKIP} since, nor can it go behind an
 * {@linkplain Database#ingest ingestion}, whose files the log does not hold.
 *
 * <p>A copy that was interrupted on its way, or that was refused, is at some moment between: make
 * it anew. {@code accordion-backup} does all of this for backups.
 */
public final class RollForward {
  private RollForward() {}

  /**
   * Has a copy follow the log.
   *
   * @param copy the folder of a checkpoint that has not been written to since; must not be open
   * @param log the folder of a later checkpoint with {@link LogExtent#KEPT} of the same database,
   *     or any folder with the files of its folders {@code wal} and {@code kept}
   * @param options as the copy is to be opened: with the keys and merge operators that it needs
   * @return the last sequence number of the log that the copy holds now
   * @throws RestorePointException if the log does not lead there; then the copy has not changed
   *     unless the message says so
   * @throws CorruptionException if the log is damaged
   */
  public static long apply(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException {
    return DatabaseProvider.find()
        .rollForward(
            Objects.requireNonNull(copy, "copy"),
            Objects.requireNonNull(log, "log"),
            Objects.requireNonNull(point, "point"),
            Objects.requireNonNull(options, "options"));
  }
}
