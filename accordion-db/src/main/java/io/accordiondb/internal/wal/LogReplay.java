// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.record.RecordFileHeader;
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
 * record must not follow an unsound one in a file: else the log is damaged, and refused.
 */
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  private final Storage storage;
  private final RecoveryMode mode;
  private final List<SealedLog> files = new ArrayList<>();
  private long lastSequence;
  private long records;
  private long bytes;
  private long droppedBytes;

  /** Creates a replay that tolerates what a crash leaves. */
  public LogReplay(Storage storage) {
    this(storage, RecoveryMode.TOLERATE_TORN_TAIL);
  }

  /** Creates a replay of the log below a storage. */
  public LogReplay(Storage storage, RecoveryMode mode) {
    this.storage = storage;
    this.mode = mode;
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

  /** A file that is there; without a link if its beginning was never wholly written. */
  private record LogFile(long number, @Nullable LogLink link) {}

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
    List<LogFile> log = new ArrayList<>();
    for (long number : LogFiles.list(storage)) {
      log.add(new LogFile(number, firstLinkOf(number)));
    }
    for (int i = 0; i < log.size(); i++) {
      LogFile file = log.get(i);
      CorruptionException loss = lossBefore(file, fromSequence);
      if (loss != null) {
        long losing = file.link == null ? file.number : file.link.previousNumber();
        accept(loss, losing, log.subList(i, log.size()));
        drop(log.subList(i, log.size()));
        return;
      }
      read(file, log.subList(i + 1, log.size()), fromSequence, consumer);
    }
  }

  /** Returns the files replayed, oldest first. */
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

  /** Returns the bytes of the files replayed, as far as they are sound. */
  public long bytes() {
    return bytes;
  }

  /** Returns the bytes left out because a crash had torn them, or what stood before them. */
  public long droppedBytes() {
    return droppedBytes;
  }

  private @Nullable LogLink firstLinkOf(long number) throws IOException {
    try (RecordReader reader = open(number)) {
      if (reader == null) {
        return null;
      }
      if (!reader.next()) {
        // Nothing is appended before the link is on the device: with a record behind, no tear.
        long unused = reader.tornBytes();
        return null;
      }
      LogLink link = LogLink.current(reader);
      if (link == null) {
        throw new CorruptionException(
            reader.path(), RecordFileHeader.BYTES, "a link to the file before", "another record");
      }
      return link;
    }
  }

  private @Nullable RecordReader open(long number) throws IOException {
    return RecordReader.open(storage, LogFiles.nameOf(number), LogFiles.headerOf(number));
  }

  /** Returns how a file shows that something is missing from it or from the one before, or null. */
  private @Nullable CorruptionException lossBefore(LogFile file, long fromSequence)
      throws CorruptionException {
    LogLink link = file.link;
    if (link == null) {
      return new CorruptionException(
          pathOf(file.number), 0, "a log file", "one whose beginning was never written");
    }
    if (files.isEmpty()) {
      // What came before was truncated, or never was.
      if (fromSequence > 0 && link.previousSequence() >= fromSequence) {
        throw new CorruptionException(
            pathOf(file.number),
            0,
            "sequence numbers from " + fromSequence + " on",
            "those behind " + link.previousSequence());
      }
      lastSequence = link.previousSequence();
      return null;
    }
    SealedLog previous = files.get(files.size() - 1);
    if (link.previousNumber() != previous.fileNumber()) {
      throw new CorruptionException(
          pathOf(link.previousNumber()),
          0,
          "a log file between " + previous.fileNumber() + " and " + file.number,
          "none");
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
    if (previous.bytes() >= link.previousBytes()) {
      // No crash adds anything.
      throw loss;
    }
    return loss;
  }

  private void read(LogFile file, List<LogFile> later, long fromSequence, RecordConsumer consumer)
      throws IOException {
    LogLink next = later.isEmpty() ? null : later.get(0).link;
    // Behind that length may stand what an earlier replay has left out.
    long bytesMax =
        next != null && next.previousNumber() == file.number
            ? next.previousBytes()
            : Long.MAX_VALUE;
    try (RecordReader reader = open(file.number)) {
      if (reader == null) {
        throw new IllegalStateException(pathOf(file.number) + " changes while it is read");
      }
      while (reader.soundBytes() < bytesMax && reader.next()) {
        if (LogLink.current(reader) == null) {
          deliver(reader, fromSequence, consumer);
        }
      }
      if (reader.soundBytes() < bytesMax && reader.tornBytes() > 0) {
        accept(reader.tornException(), file.number, later);
        droppedBytes += reader.tornBytes();
        LOG.warn(
            "{}: the last {} bytes, from offset {}, are what a crash has left of a write",
            reader.path(),
            reader.tornBytes(),
            reader.soundBytes());
      }
      files.add(new SealedLog(file.number, reader.soundBytes(), lastSequence));
      bytes += reader.soundBytes();
    }
  }

  private void deliver(RecordReader reader, long fromSequence, RecordConsumer consumer)
      throws IOException {
    long first = reader.firstSequence();
    long payloadOffset = reader.soundBytes() - reader.payload().limit();
    // Numbers may be missing: writes that are not logged have some.
    if (first <= lastSequence) {
      throw new CorruptionException(
          reader.path(),
          payloadOffset,
          "a sequence number above " + lastSequence,
          Long.toString(first));
    }
    lastSequence = first + reader.count() - 1;
    if (lastSequence >= fromSequence) {
      records++;
      consumer.accept(
          reader.payload(), first, reader.count(), new Source(reader.path(), payloadOffset));
    }
  }

  /** Accepts that a crash has taken something from a file, unless it cannot have been a crash. */
  private void accept(CorruptionException loss, long losingNumber, List<LogFile> later)
      throws IOException {
    if (mode == RecoveryMode.ABSOLUTE || losingNumber <= durableNumber(later)) {
      throw loss;
    }
  }

  /** Returns up to which file the log was on the device, as far as later files say. */
  private long durableNumber(List<LogFile> later) throws IOException {
    long durable = 0;
    for (LogFile file : later) {
      try (RecordReader reader = open(file.number)) {
        while (reader != null && reader.next()) {
          LogLink link = LogLink.current(reader);
          if (link != null) {
            durable = Math.max(durable, link.durableNumber());
          }
        }
      }
    }
    return durable;
  }

  private void drop(List<LogFile> rest) throws IOException {
    for (LogFile file : rest) {
      long size = storage.size(LogFiles.nameOf(file.number));
      droppedBytes += size;
      LOG.warn(
          "{}: its {} bytes are left out, as a crash has taken some that stood before them",
          pathOf(file.number),
          size);
    }
  }

  private String pathOf(long number) {
    return storage.path(LogFiles.nameOf(number));
  }
}
