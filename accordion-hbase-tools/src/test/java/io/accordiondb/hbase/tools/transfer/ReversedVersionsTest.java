// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.hbase.tools.transfer.ReversedVersions.Version;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReversedVersionsTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 10_000, 1 << 20})
  void returnsTheOldestFirstWhateverFitsIntoMemory(int bytesMax) throws IOException {
    try (ReversedVersions versions = new ReversedVersions(bytesMax)) {
      for (int round = 0; round < 3; round++) {
        for (int i = 100; i > 0; i--) {
          versions.add(new Version(i, Stores.bytes("v" + i), new byte[i % 3]));
        }
        List<Version> drained = new ArrayList<>();
        versions.drain(drained::add);
        assertThat(drained).hasSize(100);
        for (int i = 1; i <= 100; i++) {
          Version version = drained.get(i - 1);
          assertThat(version.timestamp()).isEqualTo(i);
          assertThat(version.value()).isEqualTo(Stores.bytes("v" + i));
          assertThat(version.tags()).hasSize(i % 3);
        }
        versions.drain(version -> drained.clear());
        assertThat(drained).hasSize(100);
      }
    }
  }
}
