// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DashboardServerTest {
  private static final int PART_BYTES = 64 << 10;

  /** A client that reads slowly gets the whole history, as long as it reads. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, PART_BYTES, PART_BYTES + 1, 16 << 20})
  void aLongAnswerMakesProgressPartByPart(int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(1).nextBytes(bytes);
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    List<Integer> written = new ArrayList<>(List.of(0));
    DashboardServer.write(
        target,
        bytes,
        () -> {
          assertThat(target.size() - written.get(written.size() - 1)).isBetween(1, PART_BYTES);
          written.add(target.size());
        });
    assertThat(target.toByteArray()).isEqualTo(bytes);
    assertThat(written).last().isEqualTo(length);
  }
}
