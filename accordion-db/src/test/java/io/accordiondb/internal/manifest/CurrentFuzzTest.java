// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes of CURRENT name the one manifest that is there, or are refused. */
class CurrentFuzzTest {
  static Stream<byte[]> sound() throws IOException {
    MemoryStorage storage = new MemoryStorage();
    CurrentFile.prepare(storage, 1);
    CurrentFile.switchTo(storage);
    byte[] open = storage.bytes("CURRENT");
    CurrentFile.close(storage, 1, new CurrentFile.Lengths(0, 100));
    return Stream.of(open, storage.bytes("CURRENT"), "MANIFEST-000000000001\n".getBytes(US_ASCII));
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) throws IOException {
    MemoryStorage storage = new MemoryStorage();
    CurrentFile.prepare(storage, 1);
    CurrentFile.switchTo(storage);
    storage.setBytes(ManifestFile.nameOf(1), new byte[0]);
    storage.setBytes("CURRENT", bytes);
    try {
      assertThat(CurrentFile.read(storage).manifest()).isEqualTo(1);
    } catch (CorruptionException refused) {
      assertThat(storage.openFiles()).isZero();
    }
  }
}
