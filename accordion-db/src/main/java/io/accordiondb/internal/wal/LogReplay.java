// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.RecoveryProgress;
import io.accordiondb.internal.record.RecordReader;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log of a database that is being opened; once, on one thread. It changes nothing on the
 * device, so that a crash meanwhile does no harm.
 *
 * <p>The replay follows the links from file to file. A crash may have torn the last record or, when
 * power was lost, any file that had not been forced to the device; there the replay ends, and the
 * rest, later files too, is left out. What a link says was on the device must be there, and a sound
 * record must not follow an unsound one in a file: else the log is damaged, and refused. {@link
 * RecoveryMode} says more, and what else may be asked for.
 */
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  private final Storage storage;
  private final RecoveryMode mode;
  private final KnownLogs known;
  private final List<SealedLog> files = new ArrayList<>();
  private long lastSequence;
  private long records;
  private long bytes;
  private long droppedBytes;
  private long bytesTotal;
  private long fileBytesRead;
  private boolean damaged;

  /** Creates a replay that tolerates what a crash leaves. */
  public LogReplay(Storage storage) {
    this(storage, RecoveryMode.TOLERATE_TORN_TAIL);
  }

  /** Creates a replay of the files that are there. */
  public LogReplay(Storage storage, RecoveryMode mode) {
    this(storage, mode, KnownLogs.NONE);
  }

  /** Creates a replay of the log below a storage, of which the manifest says what it must have. */
  public LogReplay(Storage storage, RecoveryMode mode, KnownLogs known) {
    this.storage = storage;
    this.mode = mode;
    this.known = known;
  }

  /** Receives what the log holds, in order. */
  public interface RecordConsumer {
    /**
     * Receives a record.
     *
     * @param payload from 0 to the limit; valid during the call
     * @param source where the payload stands, for messages
     */
    void accept(ByteBuffer payload, long firstSequence, int count, Source source)
        throws IOException;
  }

  /** Where a payload stands. */
  public record Source(String file, long offset) {}

  /** Replays the whole log, wherever it begins. */
  public void replay(RecordConsumer consumer) throws IOException {
    replay(0, consumer);
  }

  /**
   * Replays the log from a sequence number on. Records before it are checked all the same.
   *
   * @param fromSequence the oldest sequence number that is needed; 0 for whatever is there
   * @throws CorruptionException if the log is damaged, or begins behind that number
   */
  public void replay(long fromSequence, RecordConsumer consumer) throws IOException {
    List<LogFile> log = LogFile.all(storage, known);
    for (LogFile file : log) {
      if (file.damage() != null && refusesDamage()) {
        throw file.damage();
      }
      bytesTotal += file.bytes();
    }
    if (mode == RecoveryMode.SALVAGE) {
      salvage(log, consumer);
      return;
    }
    for (int i = 0; i < log.size(); i++) {
      LogFile file = log.get(i);
      List<LogFile> rest = log.subList(i, log.size());
      CorruptionException loss = lossBefore(file, fromSequence);
      if (loss != null) {
        accept(loss, file.link() == null ? file.number() : file.link().previousNumber(), rest);
        drop(rest);
        return;
      }
      if (!read(file, rest.subList(1, rest.size()), fromSequence, consumer)) {
        if (known.end() == null) {
          drop(rest.subList(1, rest.size()));
        }
        return;
      }
    }
  }

  /**
   * Returns the files replayed, oldest first; none after {@link RecoveryMode#SALVAGE}, which leaves
   * no log that could be replayed again.
   */
  public List<SealedLog> files() {
    return List.copyOf(files);
  }

  /** Returns the last sequence number in the log; 0 if it never held any. */
  public long lastSequence() {
    return lastSequence;
  }

  /** Returns the number of records given to the consumer. */
  public long records() {
    return records;
  }

  /** Returns how far the replay has come; to be asked by its consumer, or afterwards. */
  public RecoveryProgress progress() {
    return new RecoveryProgress(bytes + fileBytesRead, bytesTotal, records, droppedBytes);
  }

  /** Returns whether something was left out that no crash explains. */
  public boolean isDamaged() {
    return damaged;
  }

  /** Returns the bytes of the files replayed, as far as they are sound. */
  public long bytes() {
    return bytes;
  }

  /** Returns the bytes left out because a crash had torn them, or what stood before them. */
  public long droppedBytes() {
    return droppedBytes;
  }

  /** Returns how a file shows that something is missing from it or from the one before, or null. */
  private @Nullable CorruptionException lossBefore(LogFile file, long fromSequence)
      throws CorruptionException {
    if (files.isEmpty() && file.known() != null) {
      lastSequence = file.known().previousSequence();
    }
    if (file.damage() != null) {
      return damage(file.damage());
    }
    LogLink link = file.link();
    if (link == null) {
      return new CorruptionException(
          pathOf(file.number()), 0, "a log file", "one whose beginning was never written");
    }
    if (files.isEmpty()) {
      // What came before was truncated, or never was.
      if (fromSequence > 0 && link.previousSequence() >= fromSequence) {
        throw new CorruptionException(
            pathOf(file.number()),
            0,
            "sequence numbers from " + fromSequence + " on",
            "those behind " + link.previousSequence());
      }
      lastSequence = link.previousSequence();
      return null;
    }
    SealedLog previous = files.get(files.size() - 1);
    if (link.previousNumber() != previous.fileNumber()) {
      return damage(
          new CorruptionException(
              pathOf(link.previousNumber()),
              0,
              "a log file between " + previous.fileNumber() + " and " + file.number(),
              "none"));
    }
    if (link.previousBytes() == previous.bytes()
        && link.previousSequence() == previous.lastSequence()) {
      return null;
    }
    CorruptionException loss =
        new CorruptionException(
            pathOf(previous.fileNumber()),
            previous.bytes(),
            link.previousBytes() + " bytes, up to sequence number " + link.previousSequence(),
            previous.bytes() + " bytes, up to sequence number " + previous.lastSequence());
    // No crash adds anything.
    return previous.bytes() >= link.previousBytes() ? damage(loss) : loss;
  }

  /** Replays a file; returns false if the replay ends in it. */
  private boolean read(
      LogFile file, List<LogFile> later, long fromSequence, RecordConsumer consumer)
      throws IOException {
    LogLink next = later.isEmpty() ? null : later.get(0).link();
    // Behind that length may stand what an earlier replay has left out.
    long bytesMax =
        next != null && next.previousNumber() == file.number()
            ? next.previousBytes()
            : Long.MAX_VALUE;
    boolean isAtEnd = false;
    try (RecordReader reader = LogFile.open(storage, file.number())) {
      if (reader == null) {
        throw new IllegalStateException(pathOf(file.number()) + " changes while it is read");
      }
      long soundBytes = reader.soundBytes();
      CorruptionException damage = null;
      try {
        while (!isAtEnd && soundBytes < bytesMax && reader.next()) {
          LogLink link = LogLink.current(reader);
          isAtEnd = link != null && isBehindEnd(link);
          if (link == null) {
            checkSequence(reader);
            deliver(reader, fromSequence, consumer);
          }
          soundBytes = reader.soundBytes();
        }
      } catch (UnsoundRecordException e) {
        damage = damage(e.cause);
      }
      if (damage == null && !isAtEnd && soundBytes < bytesMax) {
        damage = tear(reader, file.number(), later);
      }
      if (damage == null && !isAtEnd && later.isEmpty() && soundBytes < known.newestBytes()) {
        damage =
            damage(
                new CorruptionException(
                    reader.path(),
                    soundBytes,
                    known.newestBytes() + " bytes, as when the database was closed",
                    soundBytes + " bytes"));
      }
      files.add(new SealedLog(file.number(), soundBytes, previousSequenceOf(file), lastSequence));
      bytes += soundBytes;
      fileBytesRead = 0;
      if (damage != null) {
        leaveOut(damage, reader.fileBytes() - soundBytes);
      }
      return damage == null && !isAtEnd;
    }
  }

  private static long previousSequenceOf(LogFile file) {
    LogLink link = file.link();
    return link == null ? 0 : link.previousSequence();
  }

  /** Returns whether what follows was written by who knew more of the manifest. */
  private boolean isBehindEnd(LogLink link) {
    return known.end() != null && link.manifest().compareTo(known.end()) > 0;
  }

  /**
   * Judges what stands behind the sound records of a file, which is left out if it is what a crash
   * leaves; returns the damage that it is otherwise, or null.
   */
  private @Nullable CorruptionException tear(RecordReader reader, long number, List<LogFile> later)
      throws IOException {
    long tornBytes;
    try {
      tornBytes = reader.tornBytes();
    } catch (CorruptionException e) {
      if (!reader.isFilled() || durableBytes(number) > reader.soundBytes()) {
        return damage(e);
      }
      // A loss of power keeps any of the pages that were not forced to the device.
      tornBytes = reader.fileBytes() - reader.soundBytes();
    }
    if (tornBytes > 0) {
      if (!accept(reader.tornException(), number, later)) {
        return reader.tornException();
      }
      droppedBytes += tornBytes;
      LOG.warn(
          "{}: the last {} bytes, from offset {}, are what a crash has left of a write",
          reader.path(),
          tornBytes,
          reader.soundBytes());
    }
    return null;
  }

  /** A record that does not fit, as opposed to what its consumer throws. */
  private static final class UnsoundRecordException extends Exception {
    private static final long serialVersionUID = 1L;
    final transient CorruptionException cause;

    UnsoundRecordException(CorruptionException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  private void checkSequence(RecordReader reader) throws UnsoundRecordException {
    // Numbers may be missing: writes that are not logged have some.
    if (reader.firstSequence() <= lastSequence) {
      throw new UnsoundRecordException(
          new CorruptionException(
              reader.path(),
              reader.soundBytes() - reader.payload().limit(),
              "a sequence number above " + lastSequence,
              Long.toString(reader.firstSequence())));
    }
  }

  private void deliver(RecordReader reader, long fromSequence, RecordConsumer consumer)
      throws IOException {
    long first = reader.firstSequence();
    long payloadOffset = reader.soundBytes() - reader.payload().limit();
    lastSequence = first + reader.count() - 1;
    fileBytesRead = payloadOffset;
    if (lastSequence >= fromSequence) {
      records++;
      consumer.accept(
          reader.payload(), first, reader.count(), new Source(reader.path(), payloadOffset));
    }
  }

  /** Replays all records that are sound, wherever they stand. */
  private void salvage(List<LogFile> log, RecordConsumer consumer) throws IOException {
    for (int i = 0; i < log.size(); i++) {
      LogFile file = log.get(i);
      if (file.damage() != null) {
        leaveOut(file.damage(), 0);
      }
      LogLink next = i + 1 < log.size() ? log.get(i + 1).link() : null;
      long bytesMax =
          next != null && next.previousNumber() == file.number()
              ? next.previousBytes()
              : Long.MAX_VALUE;
      if (!storage.exists(LogFiles.nameOf(file.number()))) {
        continue;
      }
      try (RecordReader reader = LogFile.openUnchecked(storage, file.number())) {
        salvage(reader, bytesMax, consumer);
        bytes += reader.soundBytes();
        fileBytesRead = 0;
      }
    }
  }

  private void salvage(RecordReader reader, long bytesMax, RecordConsumer consumer)
      throws IOException {
    while (reader.soundBytes() < bytesMax) {
      if (reader.next()) {
        if (reader.count() > 0 && reader.firstSequence() > lastSequence) {
          deliver(reader, 0, consumer);
        }
      } else {
        CorruptionException damage = reader.tornException();
        long skipped = reader.skipUnsound();
        if (skipped == 0) {
          return;
        }
        leaveOut(damage, skipped);
      }
    }
  }

  /** Throws damage, unless the mode goes on without what is damaged. */
  private CorruptionException damage(CorruptionException damage) throws CorruptionException {
    if (refusesDamage()) {
      throw damage;
    }
    damaged = true;
    return damage;
  }

  private boolean refusesDamage() {
    return mode == RecoveryMode.TOLERATE_TORN_TAIL || mode == RecoveryMode.ABSOLUTE;
  }

  private void leaveOut(CorruptionException damage, long lostBytes) {
    damaged = true;
    droppedBytes += lostBytes;
    LOG.warn("{} bytes are left out: {}", lostBytes, damage.getMessage());
  }

  /**
   * Accepts that a crash has taken something from a file; if it cannot have been a crash, throws
   * or, if the mode goes on nevertheless, returns false.
   */
  private boolean accept(CorruptionException loss, long losingNumber, List<LogFile> later)
      throws IOException {
    if (mode == RecoveryMode.ABSOLUTE) {
      throw loss;
    }
    if (losingNumber <= durableNumber(later)) {
      damage(loss);
      return false;
    }
    return true;
  }

  /** Returns up to which file the log was on the device, as far as later files say. */
  private long durableNumber(List<LogFile> later) throws IOException {
    long durable = 0;
    for (LogFile file : later) {
      for (LogLink link : file.links(storage)) {
        durable = Math.max(durable, link.durableNumber());
      }
    }
    return durable;
  }

  /** Returns how much of a file was on the device, as far as it says itself. */
  private long durableBytes(long number) throws IOException {
    return LogFile.linksOf(storage, number).stream()
        .mapToLong(LogLink::durableBytes)
        .max()
        .orElse(0);
  }

  private void drop(List<LogFile> rest) throws IOException {
    for (LogFile file : rest) {
      if (!storage.exists(LogFiles.nameOf(file.number()))) {
        continue;
      }
      long size = storage.size(LogFiles.nameOf(file.number()));
      droppedBytes += size;
      LOG.warn(
          "{}: its {} bytes are left out, as a crash has taken some that stood before them",
          pathOf(file.number()),
          size);
    }
  }

  private String pathOf(long number) {
    return storage.path(LogFiles.nameOf(number));
  }
}
