// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordScript;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A manifest of any records, with anything behind them, leads to a version or is refused; a repair
 * reads it as far as it goes.
 */
class ManifestFuzzTest {
  static Stream<byte[]> sound() {
    ByteArrayOutputStream script = new ByteArrayOutputStream();
    script.writeBytes(RecordScript.record(0, 1, new byte[] {0}));
    script.writeBytes(
        RecordScript.record(0, 0, EditCodecTest.encode(List.of(new VersionEdit.SetNextNumber(9)))));
    script.writeBytes(
        RecordScript.record(1, 1, EditCodecTest.encode(List.of(new VersionEdit.SetClockFloor(4)))));
    script.writeBytes(new byte[] {1, 2, -1, 'x', 'y'});
    return Stream.of(script.toByteArray());
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    RecordFileHeader header = new RecordFileHeader(ManifestFile.MAGIC, 1, RecordFileHeader.GROWING);
    RecordScript.write(storage, ManifestFile.nameOf(1), header, ByteBuffer.wrap(bytes));
    ManifestFile.Replayed salvaged = ManifestFile.salvage(storage, 1);
    try {
      Version version = ManifestFile.replay(storage, 1, false).version();
      assertThat(salvaged).isNotNull();
      assertThat(salvaged.version().asEdits()).isEqualTo(version.asEdits());
    } catch (CorruptionException | FormatVersionException refused) {
      assertThat(storage.openFiles()).isZero();
    }
  }
}
