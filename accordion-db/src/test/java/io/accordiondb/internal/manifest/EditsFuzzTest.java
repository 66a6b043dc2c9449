// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any payload of a manifest's record is read as edits, which are written the same, or refused. */
class EditsFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(EditCodecTest.encode(EditCodecTest.ALL_KINDS));
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void areReadOrRefused(byte[] bytes) throws IOException {
    List<VersionEdit> edits;
    try {
      edits = EditCodecTest.decode(bytes);
    } catch (CorruptionException | FormatVersionException refused) {
      return;
    }
    assertThat(EditCodecTest.decode(EditCodecTest.encode(edits))).isEqualTo(edits);
    try {
      Version.EMPTY.apply(edits);
    } catch (IllegalArgumentException doNotFit) {
      return;
    }
  }
}
