// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.history;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.commit.LogNote;
import io.accordiondb.internal.commit.LogNote.Kind;
import io.accordiondb.internal.commit.Visibility;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.TableRecord;
import io.accordiondb.internal.manifest.TableRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes notes about the tables and the time to the log, as long as the log is kept, so that a copy
 * of the database can follow the log to a moment. Thread-safe. Lock order: the catalog's change
 * lock, then this object's, then those of commits, the log and the manifest.
 *
 * <p>Tables are noted before a change of them becomes visible, so no batch precedes the note that
 * names its families. The first note of each process, and of each period for which the log is kept,
 * says that changes before it may be missing ({@link Kind#TABLES_FROM_HERE}).
 */
public final class HistoryNotes {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryNotes.class);

  private final CommitPipeline pipeline;
  private final Visibility visibility;
  private final BooleanSupplier isOn;
  private final LongSupplier clockMillis;
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private List<TableRecord> tables = List.of();

  /** Whether the log states which tables exist. */
  @GuardedBy("lock")
  private boolean areTablesNoted;

  @GuardedBy("lock")
  private long lastNote;

  /**
   * Creates an object that writes notes.
   *
   * @param isOn whether the log is kept at present
   */
  public HistoryNotes(
      CommitPipeline pipeline,
      Visibility visibility,
      BooleanSupplier isOn,
      LongSupplier clockMillis) {
    this.pipeline = pipeline;
    this.visibility = visibility;
    this.isOn = isOn;
    this.clockMillis = clockMillis;
  }

  /** Receives the present tables, before a change of them becomes visible. */
  public void onTables(List<TableRecord> now) {
    lock.lock();
    try {
      if (List.copyOf(now).equals(tables)) {
        return;
      }
      tables = List.copyOf(now);
      if (areTablesNoted) {
        tryToNote(Kind.TABLES);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Writes notes that are due. Called at the opening, each second, and before the closing. */
  public void tick() {
    lock.lock();
    try {
      if (!isOn.getAsBoolean()) {
        areTablesNoted = false;
      } else if (!areTablesNoted) {
        tryToNote(Kind.TABLES_FROM_HERE);
      } else if (visibility.visible() > lastNote) {
        tryToNote(Kind.TIME);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes a note that files will be ingested, because the log does not hold them, and ingests
   * them. Writes it even while the log is not kept: its files may be kept again before they are
   * deleted.
   *
   * @throws IOException if that cannot be noted; then nothing is ingested
   */
  public void ingest(String table, IoRunnable ingestion) throws IOException {
    byte[] name = table.getBytes(StandardCharsets.UTF_8);
    lock.lock();
    try {
      pipeline.note(new LogNote(Kind.INGESTION, clockMillis.getAsLong(), name));
      // Under the lock, so that no note of the time follows before the manifest has the files: a
      // copy that ends with a note, but not with that of an ingestion, must not lack files.
      ingestion.run();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns a supplier of the note with which a copy ends; it supplies null if no notes are
   * written. The caller must keep tables from changing until the note is in the log.
   */
  public Supplier<@Nullable LogNote> lastNote() {
    lock.lock();
    try {
      if (!isOn.getAsBoolean() || !areTablesNoted) {
        return () -> null;
      }
      byte[] content = TableRecords.encode(tables);
      return () -> new LogNote(Kind.TABLES, clockMillis.getAsLong(), content);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void tryToNote(Kind kind) {
    areTablesNoted = false;
    try {
      lastNote = pipeline.note(note(kind));
      areTablesNoted = true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("the log takes no note now; a later one makes up for it", e);
    }
  }

  @GuardedBy("lock")
  private LogNote note(Kind kind) {
    byte[] content = kind == Kind.TIME ? new byte[0] : TableRecords.encode(tables);
    return new LogNote(kind, clockMillis.getAsLong(), content);
  }
}
