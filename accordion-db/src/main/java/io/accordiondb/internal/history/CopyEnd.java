// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import io.accordiondb.ChangesLostException;
import io.accordiondb.Checkpoint;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.Version;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.wal.KeptLogs;
import io.accordiondb.internal.wal.LogTail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the end of a database's copy: its last note and its last batch, which the log of the
 * original also has. A checkpoint ends with a note. The copy of a reader may have batches behind
 * it. Reads the copy and changes nothing.
 */
public final class CopyEnd {
  private final Last last;
  private final Collection<TableRecord> tables;

  /**
   * The end of a copy's log.
   *
   * @param sequence the last sequence number
   * @param checksum of the batch that has it
   * @param note the last note
   * @param noteSequence its sequence number
   */
  record Last(long sequence, int checksum, LogNote note, long noteSequence) {}

  private CopyEnd(Last last, Collection<TableRecord> tables) {
    this.last = last;
    this.tables = tables;
  }

  /**
   * Reads the end of a copy.
   *
   * @param point the moment to which the copy is to be moved, for messages
   * @throws RestorePointException if its log has no note, or the last one is of an ingestion
   */
  public static CopyEnd of(Storage copy, Version version, RestorePoint point) throws IOException {
    List<Long> beginnings = LogTail.beginnings(copy, KeptLogs.asTheyAre(copy));
    if (beginnings.isEmpty()) {
      throw new RestorePointException(point, "the copy has no log; it was written to since");
    }
    Last last = lastOf(copy, beginnings);
    if (last == null) {
      throw new RestorePointException(
          point,
          "the copy was made without DatabaseOptions.logRetention, or by a reader without"
              + " LogExtent.KEPT, or was written to since");
    }
    LogNote note = last.note;
    if (note.kind() == LogNote.Kind.INGESTION) {
      // The note precedes the files, and a reader copies the log after the manifest.
      throw new RestorePointException(
          point,
          "the copy was made while files were ingested into table "
              + new String(note.content(), StandardCharsets.UTF_8)
              + ", and may lack them; make a new copy");
    }
    return new CopyEnd(last, version.tables());
  }

  /**
   * Returns the end of a log; null if it has no note behind its last gap. While the log is kept, it
   * has a note each second, so the newest file nearly always has one, and no other file is read.
   */
  private static @Nullable Last lastOf(Storage copy, List<Long> beginnings) throws IOException {
    long sequence = 0;
    int checksum = 0;
    LogNote note = null;
    long noteSequence = 0;
    long upTo = Long.MAX_VALUE;
    for (int i = beginnings.size() - 1; i >= 0 && note == null; i--) {
      try (LoggedBatches batches = LoggedBatches.behind(copy, beginnings.get(i))) {
        while (batches.next() && batches.lastSequence() <= upTo) {
          if (batches.lastSequence() > sequence) {
            sequence = batches.lastSequence();
            checksum = batches.checksum();
          }
          LogNote next = noteOf(batches);
          if (next != null) {
            note = next;
            noteSequence = batches.lastSequence();
          }
        }
      } catch (ChangesLostException e) {
        // The file is from before a time in which the log was not kept, so its notes are not the
        // last ones.
        return null;
      }
      upTo = beginnings.get(i);
    }
    return note == null ? null : new Last(sequence, checksum, note, noteSequence);
  }

  /**
   * Returns the moment that a copy holds, with or without a note at its end.
   *
   * @param begun a time before the copy was begun; the copy holds whatever was written before it
   */
  public static Checkpoint momentOf(Storage copy, Instant begun) throws IOException {
    Version version = Manifest.read(copy);
    long behind = 0;
    for (VersionEdit.AddLog file : version.logs()) {
      behind = Math.max(behind, file.previousSequence());
    }
    long last = Math.max(behind, version.lastFlushedSequence());
    LogNote note = null;
    try (LoggedBatches batches = LoggedBatches.behind(copy, behind)) {
      while (batches.next()) {
        last = Math.max(last, batches.lastSequence());
        note = noteOf(batches);
      }
    } catch (ChangesLostException e) {
      // Without a log, all cells of the copy are in sorted tables.
    }
    // The log can be followed from the time of the note.
    return new Checkpoint(last, note == null ? begun : Instant.ofEpochMilli(note.timeMillis()));
  }

  private static @Nullable LogNote noteOf(LoggedBatches batches) throws IOException {
    for (LoggedGroup group : batches.groups()) {
      return LogNote.of(group);
    }
    return null;
  }

  /** Returns the last sequence number that the copy holds. */
  public long sequence() {
    return last.sequence;
  }

  /**
   * How a copy follows a log.
   *
   * @param end the last sequence number to apply
   * @param timeMillis a time by which all of that was written, as far as the log says it; else 0
   * @param logHash a hash of the part of the log that is applied
   */
  public record Plan(long end, long timeMillis, long logHash) {}

  /**
   * Returns how far the copy follows a log to reach a moment.
   *
   * @throws RestorePointException if it cannot
   */
  public Plan planTo(Storage log, RestorePoint point) throws IOException {
    try (LoggedBatches batches = LoggedBatches.from(log, last.noteSequence)) {
      LogPlan plan = new LogPlan(point, last, tables);
      long end = plan.end(batches);
      return new Plan(end, plan.timeMillis(), plan.logHash());
    } catch (ChangesLostException e) {
      RestorePointException refused =
          new RestorePointException(point, "the log begins behind the copy");
      refused.initCause(e);
      throw refused;
    }
  }
}
