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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the log of a database that is being opened. It changes nothing on disk, so that a crash
 * meanwhile does no harm.
 *
 * <p>A file may be cut in the middle of its last record, where a crash has ended a write that was
 * never acknowledged as durable: the newest file, and a file whose successor was begun after a
 * replay had found the cut. Anything else that is not sound is refused.
 */
public final class LogReplay {
  private static final Logger LOG = LoggerFactory.getLogger(LogReplay.class);

  private final Storage storage;
  private final List<SealedLog> files = new ArrayList<>();
  private long lastSequence;
  private long records;
  private long bytes;

  /** Creates a replay of the log below a storage. */
  public LogReplay(Storage storage) {
    this.storage = storage;
  }

  /** Receives what the log holds, in order. */
  public interface RecordConsumer {
    /**
     * Receives a record.
     *
     * @param payload from 0 to the limit; valid during the call
     * @param source where the record stands, for messages
     */
    void accept(ByteBuffer payload, long firstSequence, int count, Source source)
        throws IOException;
  }

  /** Where a record stands. */
  public record Source(String file, long offset) {}

  /** Reads all files, oldest first. */
  public void replay(RecordConsumer consumer) throws IOException {
    List<Long> numbers = LogFiles.list(storage);
    for (int i = 0; i < numbers.size(); i++) {
      replayFile(numbers.get(i), i == numbers.size() - 1, consumer);
    }
  }

  /** Returns the files read, oldest first. */
  public List<SealedLog> files() {
    return files;
  }

  /** Returns the last sequence number in the log; 0 if it holds none. */
  public long lastSequence() {
    return lastSequence;
  }

  /** Returns the number of records read. */
  public long records() {
    return records;
  }

  /** Returns the bytes of all sound records. */
  public long bytes() {
    return bytes;
  }

  private void replayFile(long number, boolean newest, RecordConsumer consumer) throws IOException {
    String name = LogFiles.nameOf(number);
    try (RecordReader reader = RecordReader.open(storage, name, LogFiles.MAGIC, number)) {
      if (reader == null) {
        if (!newest) {
          throw new CorruptionException(
              storage.path(name), 0, "a log file, as newer ones exist", "less than a header");
        }
        files.add(new SealedLog(number, 0, lastSequence));
        return;
      }
      checkFollows(reader);
      long offset = reader.soundBytes();
      while (reader.next()) {
        Source source = new Source(reader.path(), offset);
        checkSequence(reader, source);
        consumer.accept(reader.payload(), reader.firstSequence(), reader.count(), source);
        lastSequence = reader.firstSequence() + reader.count() - 1;
        records++;
        offset = reader.soundBytes();
      }
      bytes += reader.soundBytes();
      if (reader.isCut()) {
        LOG.warn(
            "{}: the last {} bytes, from offset {}, are a record cut by a crash; left out",
            reader.path(),
            reader.fileBytes() - reader.soundBytes(),
            reader.soundBytes());
      }
      files.add(new SealedLog(number, reader.soundBytes(), lastSequence));
    }
  }

  /** Checks that the file before is the one that this one was begun behind, and as long. */
  private void checkFollows(RecordReader reader) throws CorruptionException {
    RecordFileHeader header = reader.header();
    if (files.isEmpty()) {
      // What came before was truncated, or never was.
      lastSequence = Math.max(lastSequence, header.previousSequence());
      return;
    }
    SealedLog previous = files.get(files.size() - 1);
    SealedLog expected =
        new SealedLog(header.previousNumber(), header.previousBytes(), header.previousSequence());
    if (!previous.equals(expected)) {
      throw new CorruptionException(
          reader.path(), 0, "to follow " + expected, "to stand behind " + previous);
    }
  }

  private void checkSequence(RecordReader reader, Source source) throws CorruptionException {
    // Numbers may be missing: writes that are not logged have some.
    if (reader.firstSequence() <= lastSequence) {
      throw new CorruptionException(
          source.file(),
          source.offset(),
          "a sequence number above " + lastSequence,
          Long.toString(reader.firstSequence()));
    }
  }
}
