// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import io.accordiondb.ChangesLostException;
import io.accordiondb.RestorePoint;
import io.accordiondb.RestorePointException;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LogNote.Kind;
import io.accordiondb.internal.commit.LoggedGroup;
import io.accordiondb.internal.manifest.FamilyRecord;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.TableRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out up to which sequence number a copy follows the log to reach a moment, or why it cannot.
 * It reads the log up to there and writes nothing. Used once.
 */
final class LogPlan {
  private final RestorePoint point;

  /** The end of the copy. */
  private final CopyEnd.Last copied;

  /** The last sequence number of the copy. */
  private final long base;

  private final Set<Integer> families = new HashSet<>();

  /** The tables at the position read so far, and at the end of the part that is applied. */
  private byte[] tablesNow;

  private byte[] tablesAtEnd;
  private boolean isNoteFound;
  private boolean isBaseFound;
  private long end;
  private long last;

  /** A hash of all batches behind the copy up to the position, and up to the end. */
  private long hashNow;

  private long hashAtEnd;

  /** The note that was read last, and its sequence number. */
  private LogNote lastNote;

  private long lastNoteSequence;

  /** The latest time of a note up to the first one behind the end. */
  private long timeMillis;

  /** The first reason not to continue, and the sequence number from which on it applies. */
  private @Nullable String problem;

  private long problemSequence = Long.MAX_VALUE;

  /**
   * The first note behind the end. If it begins a new series of notes, it shows whether tables were
   * changed without a note before it.
   */
  private @Nullable LogNote noteBehindEnd;

  /**
   * Creates a plan.
   *
   * @param copied the end of the copy
   * @param tables of the copy
   */
  LogPlan(RestorePoint point, CopyEnd.Last copied, Collection<TableRecord> tables) {
    this.point = point;
    this.copied = copied;
    this.base = copied.sequence();
    this.lastNote = copied.note();
    this.lastNoteSequence = base;
    this.end = base;
    this.last = base;
    tablesNow = TableRecords.encode(tables);
    tablesAtEnd = tablesNow;
    tables.forEach(this::learn);
  }

  private void learn(TableRecord table) {
    table.families().stream().map(FamilyRecord::familyId).forEach(families::add);
  }

  /**
   * Returns the last sequence number that the copy is to have.
   *
   * @throws RestorePointException if the log does not lead there
   */
  long end(LoggedBatches log) throws IOException {
    if (point instanceof RestorePoint.OfSequence wanted && wanted.sequence() < base) {
      throw refused("the copy has sequence number " + base + " already");
    }
    if (point instanceof RestorePoint.OfTime wanted && baseTime().isAfter(wanted.time())) {
      throw refused("the copy was made at " + baseTime());
    }
    try {
      readFrom(log);
    } catch (ChangesLostException e) {
      RestorePointException refused =
          refused("the log has a gap behind sequence number " + last + ", where it was not kept");
      refused.initCause(e);
      throw refused;
    }
    check();
    return end;
  }

  /** Returns a hash of all that is applied; 0 if that is nothing. */
  long logHash() {
    return hashAtEnd;
  }

  /** Returns a time by which all that is applied was written, as far as the log says it. */
  long timeMillis() {
    return timeMillis;
  }

  private void readFrom(LoggedBatches log) throws IOException {
    boolean goesOn = log.next();
    while (goesOn) {
      LogNote note = null;
      for (LoggedGroup group : log.groups()) {
        if (group.isNote()) {
          note = LogNote.of(group);
        } else if (log.lastSequence() > base && !families.contains(group.store().familyId())) {
          noteProblem(log.lastSequence(), "the log does not say of which table the cells are at ");
        }
      }
      last = log.lastSequence();
      if (last <= base) {
        compareWithCopy(note, log.checksum());
      } else {
        goOn(note, log.checksum());
      }
      goesOn = noteBehindEnd == null && log.next();
    }
  }

  /** Goes on to a batch behind the copy. */
  private void goOn(@Nullable LogNote note, int checksum) throws IOException {
    hashNow = 31 * (31 * hashNow + last) + checksum;
    if (note != null) {
      take(note);
    } else if (isWithin(null)) {
      moveEnd();
    }
  }

  private Instant baseTime() {
    return Instant.ofEpochMilli(copied.note().timeMillis());
  }

  /**
   * Compares the last note and the last batch of the copy with those of the log. Each of the two
   * may be the same in the log of another database, or of one that a loss of power has set back.
   */
  private void compareWithCopy(@Nullable LogNote note, int checksum) {
    if (last == copied.noteSequence()) {
      isNoteFound = note != null && isSame(note, copied.note());
    }
    if (last == base) {
      isBaseFound = checksum == copied.checksum();
    }
  }

  private void take(LogNote note) throws IOException {
    lastNote = note;
    lastNoteSequence = last;
    timeMillis = Math.max(timeMillis, note.timeMillis());
    if (note.kind() == Kind.INGESTION) {
      String table = new String(note.content(), StandardCharsets.UTF_8);
      noteProblem(
          last, "files were ingested into table " + table + ", which the log does not hold, at ");
    }
    boolean within = isWithin(note);
    if (!within && note.kind() != Kind.INGESTION) {
      noteBehindEnd = note;
      return;
    }
    if (note.kind() == Kind.TABLES || note.kind() == Kind.TABLES_FROM_HERE) {
      tablesNow = note.content();
      TableRecords.decode(tablesNow, "the log").forEach(this::learn);
    }
    if (within) {
      moveEnd();
    }
  }

  private static boolean isSame(LogNote one, LogNote other) {
    return one.kind() == other.kind()
        && one.timeMillis() == other.timeMillis()
        && Arrays.equals(one.content(), other.content());
  }

  private void noteProblem(long sequence, String text) {
    if (problem == null) {
      problem = text + "sequence number " + sequence;
      problemSequence = sequence;
    }
  }

  /** Returns whether the last record read must be applied, as far as the record itself shows. */
  private boolean isWithin(@Nullable LogNote note) {
    if (point instanceof RestorePoint.OfTime wanted) {
      return note != null
          && !Instant.ofEpochMilli(note.timeMillis()).isAfter(wanted.time())
          && note.kind() != Kind.INGESTION;
    }
    return point instanceof RestorePoint.OfSequence wanted && last <= wanted.sequence();
  }

  private void moveEnd() {
    end = last;
    hashAtEnd = hashNow;
    tablesAtEnd = tablesNow;
  }

  private void check() throws RestorePointException {
    if (!isNoteFound || !isBaseFound) {
      throw refused(
          "the log begins behind the copy, or is that of another database; the copy is of sequence"
              + " number "
              + base);
    }
    if (problemSequence <= end) {
      throw refused(problem + "; make a new copy behind it");
    }
    if (noteBehindEnd == null) {
      checkReached();
    } else if (noteBehindEnd.kind() == Kind.TABLES_FROM_HERE
        && !Arrays.equals(noteBehindEnd.content(), tablesAtEnd)) {
      throw refused(
          "tables were changed while the log did not say so, between sequence numbers "
              + end
              + " and "
              + last);
    }
    if (end == base && copied.noteSequence() < base && point instanceof RestorePoint.OfTime) {
      throw refused("the copy has writes behind " + baseTime() + ", which may be later");
    }
  }

  /** Checks that the log reaches the wanted moment, if no note follows that moment. */
  private void checkReached() throws RestorePointException {
    Instant lastTime = Instant.ofEpochMilli(lastNote.timeMillis());
    boolean reached =
        point instanceof RestorePoint.OfTime time
            ? !lastTime.isBefore(time.time())
            : point instanceof RestorePoint.OfSequence number && number.sequence() <= last;
    if (!reached) {
      throw refused("the log goes as far as sequence number " + last + ", at " + lastTime);
    }
    if (lastNoteSequence < end) {
      throw refused(
          "the log does not say which tables there are behind sequence number "
              + lastNoteSequence
              + ", because it was not kept (DatabaseOptions.logRetention)");
    }
  }

  private RestorePointException refused(String reason) {
    return new RestorePointException(point, reason);
  }
}
