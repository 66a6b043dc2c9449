// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.RecoveryMode;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordScript;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two log files of any records, with anything behind them, are replayed or refused, in every mode;
 * sequence numbers ascend.
 */
class LogFuzzTest {
  static Stream<byte[]> sound() {
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    script.write(60);
    script.writeBytes(link(0, 0, 0, 0));
    script.writeBytes(RecordScript.record(2, 1, new byte[] {'a'}));
    byte[] first = script.toByteArray();
    // Header, link and record of the first file.
    script.writeBytes(link(1, 24 + 24 + 32 + 24 + 1, 2, 1));
    script.writeBytes(RecordScript.record(1, 3, new byte[] {'b'}));
    script.writeBytes(new byte[] {1, 2, -1, 'c', 'd'});
    byte[] both = script.toByteArray();
    both[0] = (byte) (first.length - 1);
    return Stream.of(both);
  }

  private static byte[] link(long previous, long bytes, long sequence, long durable) {
    ByteBuffer payload = ByteBuffer.allocate(4 * Long.BYTES);
    payload.putLong(previous).putLong(bytes).putLong(sequence).putLong(durable);
    return RecordScript.record(0, (int) sequence, payload.array());
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "2m")
  void isReplayedOrRefused(byte[] bytes) throws IOException {
    if (bytes.length == 0) {
      return;
    }
    int split = 1 + Math.min(bytes.length - 1, bytes[0] & 0xFF);
    MemoryStorage storage = new MemoryStorage();
    storage.createDirectories(WriteAheadLog.DIRECTORY);
    int version = bytes[0] < 0 ? RecordFileHeader.FILLED : RecordFileHeader.GROWING;
    write(storage, 1, version, ByteBuffer.wrap(bytes, 1, split - 1));
    if (split < bytes.length) {
      write(storage, 2, version, ByteBuffer.wrap(bytes, split, bytes.length - split));
    }
    for (RecoveryMode mode : RecoveryMode.values()) {
      replay(storage, mode);
    }
  }

  private static void write(MemoryStorage storage, long number, int version, ByteBuffer script)
      throws IOException {
    RecordFileHeader header = LogFileNames.headerOf(number, version);
    RecordScript.write(storage, LogFileNames.nameOf(number), header, script);
  }

  private static void replay(MemoryStorage storage, RecoveryMode mode) throws IOException {
    LogReplay replay = new LogReplay(storage, mode);
    long[] last = {0};
    try {
      replay.replay(
          (payload, first, count, source) -> {
            assertThat(first).isGreaterThan(last[0]);
            last[0] = first + count - 1;
          });
    } catch (CorruptionException | FormatVersionException refused) {
      assertThat(mode).isNotEqualTo(RecoveryMode.SALVAGE);
    }
    assertThat(storage.openFiles()).isZero();
  }
}
