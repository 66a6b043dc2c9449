// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.List;

/**
 * Replays the log of a database that is being opened, once, on one thread. It changes nothing on
 * the device, so a crash during the replay does no harm.
 *
 * <p>The {@link RecoveryMode} decides how a damaged log is treated; each mode has a {@link
 * RecoveryStrategy}.
 */
public final class LogReplay {
  private final Storage storage;
  private final RecoveryMode mode;
  private final RecoveryStrategy strategy;
  private final KnownLogs known;
  private final ReplayedLog replayed = new ReplayedLog();

  /** Creates a replay of the existing files. */
  public LogReplay(Storage storage, RecoveryMode mode) {
    this(storage, mode, KnownLogs.NONE);
  }

  /** Creates a replay of the log of a storage, with the manifest's knowledge of the log. */
  public LogReplay(Storage storage, RecoveryMode mode, KnownLogs known) {
    this.storage = storage;
    this.mode = mode;
    this.strategy = RecoveryStrategy.of(mode);
    this.known = known;
  }

  /** The location of a payload. */
  public record Source(String file, long offset) {}

  /** Replays the whole log, wherever it begins. */
  public void replay(RecordConsumer consumer) throws IOException {
    replay(0, consumer);
  }

  /**
   * Replays the log from a sequence number on. Earlier records are checked as well.
   *
   * @param fromSequence the oldest sequence number that is needed; 0 for all that exist
   * @throws CorruptionException if the log is damaged, or begins behind that number
   */
  public void replay(long fromSequence, RecordConsumer consumer) throws IOException {
    List<LogFile> files = LogFile.all(storage, known);
    for (LogFile file : files) {
      if (file.damage() != null) {
        strategy.checkDamage(file.damage());
      }
      replayed.expect(file.bytes());
    }
    strategy.replay(new ReplayTask(storage, known, files, fromSequence, consumer), replayed);
  }

  /**
   * Returns the files replayed, oldest first; none after {@link RecoveryMode#SALVAGE}, which leaves
   * no log that could be replayed again.
   */
  public List<SealedLog> files() {
    return List.copyOf(replayed.files());
  }

  /** Returns what decides how a damaged log is treated. */
  public RecoveryMode mode() {
    return mode;
  }

  /** Returns the last sequence number in the log; 0 if it never held any. */
  public long lastSequence() {
    return replayed.lastSequence();
  }

  /** Returns the number of records given to the consumer. */
  public long records() {
    return replayed.records();
  }

  /** Returns the progress of the replay. Call this from the consumer or after the replay. */
  public RecoveryProgress progress() {
    return replayed.progress();
  }

  /** Returns whether the replay has left out anything that no crash explains. */
  public boolean isDamaged() {
    return replayed.isDamaged();
  }

  /** Returns the sound bytes of the replayed files. */
  public long bytes() {
    return replayed.bytes();
  }

  /** Returns the bytes left out because a crash has torn them, or something before them. */
  public long droppedBytes() {
    return replayed.droppedBytes();
  }
}
