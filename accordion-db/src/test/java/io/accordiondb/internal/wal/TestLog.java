// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.LogWriting;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/** A log as tests write and read it: each record holds its own sequence number, and padding. */
final class TestLog {
  static final long FILE_BYTES_MAX = 554;

  private TestLog() {}

  /** Begins or goes on with a log behind what a replay finds. */
  static WriteAheadLog open(Storage storage) throws IOException {
    return open(storage, replay(storage));
  }

  static WriteAheadLog open(Storage storage, Replayed replayed) throws IOException {
    return open(storage, replayed, LogWriting.PLAIN);
  }

  static WriteAheadLog open(Storage storage, Replayed replayed, LogWriting writing)
      throws IOException {
    return open(storage, replayed, writing, register(storage));
  }

  /** Returns a register that gives numbers above those of the files that exist. */
  static TestLogRegister register(Storage storage) throws IOException {
    return register(storage, KnownLogs.NONE);
  }

  /** Returns a register that continues one that knew the given files. */
  static TestLogRegister register(Storage storage, KnownLogs known) throws IOException {
    long[] number = {known.highest()};
    LogFileNames.list(storage).forEach(file -> number[0] = Math.max(number[0], file));
    return new TestLogRegister(() -> ++number[0], known);
  }

  static WriteAheadLog open(
      Storage storage, Replayed replayed, LogWriting writing, LogRegister register)
      throws IOException {
    return new WriteAheadLog(
        storage,
        register,
        FILE_BYTES_MAX,
        writing,
        ByteBuffer::allocateDirect,
        replayed.log().files(),
        0);
  }

  static Replayed replay(Storage storage) throws IOException {
    return replay(storage, RecoveryMode.TOLERATE_TORN_TAIL);
  }

  static Replayed replay(Storage storage, RecoveryMode mode) throws IOException {
    return replay(storage, mode, KnownLogs.NONE);
  }

  static Replayed replay(Storage storage, RecoveryMode mode, KnownLogs known) throws IOException {
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    storage.syncDirectory("");
    LogReplay log = new LogReplay(storage, mode, known);
    List<Long> sequences = new ArrayList<>();
    log.replay(
        (payload, firstSequence, count, source) -> {
          if (payload.getLong(0) != firstSequence || count != countOf(firstSequence)) {
            throw new AssertionError("record " + firstSequence + " holds something else");
          }
          sequences.add(firstSequence);
        });
    return new Replayed(log, sequences);
  }

  /** What a replay has found: the first sequence number of each record. */
  record Replayed(LogReplay log, List<Long> sequences) {}

  /** Appends the record of a sequence number, and settles it. */
  static void append(WriteAheadLog log, long sequence) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(8 + (int) (sequence * 31 % 120));
    // Not zeros, with which half of the record would be a whole one where the file was filled.
    Arrays.fill(payload.array(), (byte) 7);
    append(log, sequence, payload);
    log.settle();
  }

  /** Appends a record of a sequence number, which is stored in its payload. */
  static void append(WriteAheadLog log, long sequence, ByteBuffer payload) throws IOException {
    payload.putLong(0, sequence);
    CRC32C crc = new CRC32C();
    crc.update(payload.array());
    log.append(payload, (int) crc.getValue(), sequence, countOf(sequence));
  }

  /** Appends the records of the next sequence numbers; returns the one behind them. */
  static long append(WriteAheadLog log, long from, int records) throws IOException {
    long sequence = from;
    for (int i = 0; i < records; i++) {
      append(log, sequence);
      sequence = next(sequence);
    }
    return sequence;
  }

  /** Returns the sequence number of the record behind another one; some are skipped. */
  static long next(long sequence) {
    return sequence + countOf(sequence) + (sequence % 5 == 0 ? 2 : 0);
  }

  private static int countOf(long sequence) {
    return 1 + (int) (sequence % 3);
  }

  /** Returns the sequence numbers of the given number of records. */
  static List<Long> sequences(long from, int records) {
    List<Long> sequences = new ArrayList<>();
    long sequence = from;
    for (int i = 0; i < records; i++) {
      sequences.add(sequence);
      sequence = next(sequence);
    }
    return sequences;
  }
}
