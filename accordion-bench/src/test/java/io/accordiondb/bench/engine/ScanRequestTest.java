// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.engine.ScanRequest.Kind;
import org.junit.jupiter.api.Test;

class ScanRequestTest {
  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static ScanRequest prefix(int... values) {
    return new ScanRequest(Kind.PREFIX, bytes(values), 1);
  }

  @Test
  void endsBehindAllKeysWithThePrefix() {
    assertThat(prefix('a', 'b').end()).isEqualTo(bytes('a', 'c'));
    assertThat(prefix('a', 0x7F).end()).isEqualTo(bytes('a', 0x80));
    assertThat(prefix('a', 0xFF, 0xFF).end()).isEqualTo(bytes('b'));
    assertThat(prefix(0xFF).end()).isNull();
    assertThat(prefix().end()).isNull();
  }

  @Test
  void reachesTheKeysWithThePrefixOnly() {
    assertThat(prefix('a', 'b').reaches(bytes('a', 'b'))).isTrue();
    assertThat(prefix('a', 'b').reaches(bytes('a', 'b', 'c'))).isTrue();
    assertThat(prefix('a', 'b').reaches(bytes('a', 'c'))).isFalse();
    assertThat(prefix('a', 'b').reaches(bytes('a'))).isFalse();
  }

  @Test
  void hasNoEndWithoutAPrefix() {
    ScanRequest scan = new ScanRequest(Kind.REVERSE, bytes('b'), 1);
    assertThat(scan.end()).isNull();
    assertThat(scan.reaches(bytes('a'))).isTrue();
  }
}
