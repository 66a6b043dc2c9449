// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any bytes of what a sorted table says of its owner are read or refused. */
class FileOwnerFuzzTest {
  static Stream<byte[]> sound() {
    RegionRecord region = new RegionRecord(7, 3, new byte[] {1}, new byte[] {2});
    FamilyRecord family = new FamilyRecord(5, "f", Map.of("ttl-millis", "9", "block-bytes", "4"));
    FileOwner owner = new FileOwner("table", region, family);
    return Stream.of(owner.encode(), owner.at(300, Set.of(8L, 1000L)).encode());
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) throws CorruptionException {
    FileOwner owner;
    try {
      owner = FileOwner.decode(ByteBuffer.wrap(bytes), "table");
    } catch (CorruptionException refused) {
      return;
    }
    if (owner != null) {
      assertThat(FileOwner.decode(ByteBuffer.wrap(owner.encode()), "table")).isEqualTo(owner);
    }
  }
}
