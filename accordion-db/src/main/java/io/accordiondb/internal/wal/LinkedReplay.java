// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replay that follows the links from file to file. Used once, by one thread.
 *
 * <p>A crash may have torn the last record or, when power was lost, any file that had not been
 * forced to the device; there the replay ends, and it leaves out the rest, including later files.
 * Whatever a link says was on the device must be there, and no sound record may follow an unsound
 * one in a file; otherwise the log is damaged. The {@link RecoveryStrategy} decides what is
 * refused.
 */
final class LinkedReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  private final ReplayTask task;
  private final ReplayedLog replayed;
  private final RecoveryStrategy strategy;

  LinkedReplay(ReplayTask task, ReplayedLog replayed, RecoveryStrategy strategy) {
    this.task = task;
    this.replayed = replayed;
    this.strategy = strategy;
  }

  void run() throws IOException {
    List<LogFile> files = task.files();
    for (int i = 0; i < files.size(); i++) {
      LogFile file = files.get(i);
      List<LogFile> rest = files.subList(i, files.size());
      List<LogFile> later = rest.subList(1, rest.size());
      CorruptionException loss = lossBefore(file);
      if (loss != null) {
        accept(loss, file.link() == null ? file.number() : file.link().previousNumber(), rest);
        drop(rest);
        return;
      }
      if (!read(file, later)) {
        if (task.known().end() == null) {
          drop(later);
        }
        return;
      }
    }
  }

  /**
   * Returns the damage if a file shows that a part of it or of the file before is missing, else
   * null.
   */
  private @Nullable CorruptionException lossBefore(LogFile file) throws CorruptionException {
    List<SealedLog> before = replayed.files();
    KnownLog known = file.known();
    if (before.isEmpty() && known != null && known.hasBegun()) {
      replayed.beginBehind(known.previousSequence());
    }
    if (file.damage() != null) {
      return damage(file.damage());
    }
    LogLink link = file.link();
    if (link == null) {
      return new CorruptionException(
          task.pathOf(file.number()), 0, "a log file", "one whose beginning was never written");
    }
    if (before.isEmpty()) {
      begin(file, link);
      return null;
    }
    SealedLog previous = before.get(before.size() - 1);
    if (link.previousNumber() != previous.fileNumber()) {
      return damage(
          new CorruptionException(
              task.pathOf(link.previousNumber()),
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
            task.pathOf(previous.fileNumber()),
            previous.bytes(),
            link.previousBytes() + " bytes, up to sequence number " + link.previousSequence(),
            previous.bytes() + " bytes, up to sequence number " + previous.lastSequence());
    // A crash does not make a file longer.
    return previous.bytes() >= link.previousBytes() ? damage(loss) : loss;
  }

  /** Begins with the first file. Earlier files were truncated, or never existed. */
  private void begin(LogFile first, LogLink link) throws CorruptionException {
    long fromSequence = task.fromSequence();
    if (fromSequence > 0 && link.previousSequence() >= fromSequence) {
      throw new CorruptionException(
          task.pathOf(first.number()),
          0,
          "sequence numbers from " + fromSequence + " on",
          "those behind " + link.previousSequence());
    }
    replayed.beginBehind(link.previousSequence());
  }

  /** Replays a file; returns false if the replay ends in it. */
  private boolean read(LogFile file, List<LogFile> later) throws IOException {
    // Bytes behind that length were left out by an earlier replay.
    long bytesMax = file.bytesBefore(later.isEmpty() ? null : later.get(0));
    boolean isAtEnd = false;
    try (RecordReader reader = LogFile.open(task.storage(), file.number())) {
      if (reader == null) {
        throw new IllegalStateException(task.pathOf(file.number()) + " changes while it is read");
      }
      long soundBytes = reader.soundBytes();
      CorruptionException damage = null;
      try {
        while (!isAtEnd && soundBytes < bytesMax && reader.next()) {
          LogLink link = LogLink.current(reader);
          isAtEnd = link != null && isBehindEnd(link);
          if (link == null) {
            checkSequence(reader);
            replayed.deliver(reader, task.fromSequence(), task.consumer());
          }
          soundBytes = reader.soundBytes();
        }
      } catch (UnsoundRecordException e) {
        damage = damage(e.cause);
      }
      if (damage == null && !isAtEnd && soundBytes < bytesMax) {
        damage = tear(reader, file.number(), later);
      }
      if (damage == null && !isAtEnd && later.isEmpty()) {
        damage = cutSinceClosed(reader.path(), soundBytes);
      }
      replayed.endFile(
          new SealedLog(
              file.number(), soundBytes, previousSequenceOf(file), replayed.lastSequence()));
      if (damage != null) {
        replayed.leaveOut(damage, reader.fileBytes() - soundBytes);
      }
      return damage == null && !isAtEnd;
    }
  }

  private static long previousSequenceOf(LogFile file) {
    LogLink link = file.link();
    return link == null ? 0 : link.previousSequence();
  }

  /**
   * Returns whether the writer of the following records had seen a later commit of the manifest.
   */
  private boolean isBehindEnd(LogLink link) {
    return task.known().end() != null && link.manifest().compareTo(task.known().end()) > 0;
  }

  private void checkSequence(RecordReader reader) throws UnsoundRecordException {
    // Numbers may be missing, because writes that are not logged have numbers, too.
    if (reader.firstSequence() <= replayed.lastSequence()) {
      throw new UnsoundRecordException(
          new CorruptionException(
              reader.path(),
              reader.soundBytes() - reader.payload().limit(),
              "a sequence number above " + replayed.lastSequence(),
              Long.toString(reader.firstSequence())));
    }
  }

  /** Thrown for a record that does not fit, to distinguish it from exceptions of the consumer. */
  private static final class UnsoundRecordException extends Exception {
    private static final long serialVersionUID = 1L;
    final transient CorruptionException cause;

    UnsoundRecordException(CorruptionException cause) {
      super(cause);
      this.cause = cause;
    }
  }

  /** Returns the damage if the newest file is shorter than when the database was closed. */
  private @Nullable CorruptionException cutSinceClosed(String path, long soundBytes)
      throws CorruptionException {
    long closedBytes = task.known().newestBytes();
    return soundBytes >= closedBytes
        ? null
        : damage(
            new CorruptionException(
                path,
                soundBytes,
                closedBytes + " bytes, as when the database was closed",
                soundBytes + " bytes"));
  }

  /**
   * Judges the bytes behind the sound records of a file. They are left out if a crash explains
   * them; otherwise returns the damage. Returns null if there is none.
   */
  private @Nullable CorruptionException tear(RecordReader reader, long number, List<LogFile> later)
      throws IOException {
    long tornBytes;
    try {
      tornBytes = reader.tornBytes();
    } catch (CorruptionException e) {
      if (!LogFile.mayHaveGap(task.storage(), LogFileNames.nameOf(number), number, reader)) {
        return damage(e);
      }
      tornBytes = reader.fileBytes() - reader.soundBytes();
    }
    if (tornBytes > 0) {
      if (!accept(reader.tornException(), number, later)) {
        return reader.tornException();
      }
      replayed.drop(tornBytes);
      LOG.warn(
          "{}: the last {} bytes, from offset {}, are part of a write that a crash interrupted",
          reader.path(),
          tornBytes,
          reader.soundBytes());
    }
    return null;
  }

  /** Throws the damage, unless the strategy continues without the damaged part. */
  private CorruptionException damage(CorruptionException damage) throws CorruptionException {
    strategy.checkDamage(damage);
    replayed.setDamaged();
    return damage;
  }

  /**
   * Returns true if a crash explains a loss. Otherwise throws the damage or, if the strategy
   * continues nevertheless, returns false.
   */
  private boolean accept(CorruptionException loss, long losingNumber, List<LogFile> later)
      throws IOException {
    strategy.checkLoss(loss);
    if (losingNumber <= durableNumber(later)) {
      damage(loss);
      return false;
    }
    return true;
  }

  /**
   * Returns the number of the file up to which the log was on the device, according to later files.
   */
  private long durableNumber(List<LogFile> later) throws IOException {
    long durable = 0;
    for (LogFile file : later) {
      for (LogLink link : file.links(task.storage())) {
        durable = Math.max(durable, link.durableNumber());
      }
    }
    return durable;
  }

  /** Returns the length up to which a file was on the device, according to its own links. */
  private void drop(List<LogFile> rest) throws IOException {
    for (LogFile file : rest) {
      if (!task.exists(file)) {
        continue;
      }
      long size = task.storage().size(LogFileNames.nameOf(file.number()));
      replayed.drop(size);
      LOG.warn(
          "{}: its {} bytes are left out, as a crash has taken some that stood before them",
          task.pathOf(file.number()),
          size);
    }
  }
}
