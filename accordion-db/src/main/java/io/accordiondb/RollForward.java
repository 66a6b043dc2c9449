// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Applies the log of a database to an earlier copy of it, up to a later moment.
 *
 * <pre>{@code
 * database.checkpoint(monday);                                     // Each with logRetention, so
 * database.checkpoint(tuesday, LogExtent.KEPT);                    // that the log is kept.
 * RollForward.apply(
 *     monday, tuesday, RestorePoint.time(noon), DatabaseOptions.defaults());
 * }</pre>
 *
 * <p>Batches of the log are written to the copy, whole and in their order, and tables are created,
 * altered, emptied and dropped as the log says. From then on the copy has sequence numbers of its
 * own. Writes of {@link Durability#SKIP} are not in the log, and so not in the copy. A copy cannot
 * follow the log beyond an {@linkplain Database#ingest ingestion} or a {@linkplain
 * Database#copyTable copy of a table}, whose files the log does not hold.
 *
 * <p>If the call is interrupted, the copy is at some moment in between: delete it and make another
 * one. The module {@code accordion-backup} does all of this for backups.
 */
public final class RollForward {
  private RollForward() {}

  /**
   * How a copy follows a log to a moment.
   *
   * @param sequence the last sequence number of the log that the copy will hold
   * @param logHash a hash of the part of the log that will be applied. It tells apart the logs of
   *     two databases that continue the same copy, and so use the same sequence numbers
   */
  public record Plan(long sequence, long logHash) {}

  /**
   * Returns what {@link #apply} would do, and changes nothing.
   *
   * @param copy the folder of a copy as for {@link #apply}; its folder {@code sst} may be missing
   * @param log as for {@link #apply}
   * @param point the moment to restore
   * @param options options with the keys that the copy and the log need
   * @return how the copy follows the log
   * @throws RestorePointException if the log does not lead to that moment
   * @throws CorruptionException if the log is damaged
   */
  public static Plan plan(Path copy, Path log, RestorePoint point, DatabaseOptions options)
      throws IOException {
    return DatabaseProvider.find()
        .planRollForward(
            Objects.requireNonNull(copy, "copy"),
            Objects.requireNonNull(log, "log"),
            Objects.requireNonNull(point, "point"),
            Objects.requireNonNull(options, "options"));
  }

  /**
   * Applies the log to a copy.
   *
   * @param copy the folder of a checkpoint that has not been changed and is not open. If a database
   *     has made it that is open for reading only, it needs {@link LogExtent#KEPT}: the last note
   *     of the tables and the time may be in a part of the log that was kept
   * @param log the folder of a later checkpoint with {@link LogExtent#KEPT} of the same database,
   *     or any folder with the files of its folders {@code wal} and {@code kept}
   * @param options options for opening the copy, with the keys that it needs. Merge operators and
   *     compaction filters may be missing: then operands stay as they are, and no filter drops
   *     cells
   * @param point the moment to restore
   * @return the last sequence number of the log that the copy holds now
   * @throws RestorePointException if the log does not lead to that moment; then the copy is
   *     unchanged, unless the message says otherwise
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
