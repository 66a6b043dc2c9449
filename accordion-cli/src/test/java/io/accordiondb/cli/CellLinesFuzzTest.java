// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.Cell;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/** Any line of an exported file is read as a table or a cell, or refused as what it is. */
class CellLinesFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(
            "{\"table\":\"t\",\"families\":{\"f\":{\"max-versions\":\"3\"}}}",
            "{\"row\":\"cm93\",\"family\":\"f\",\"qualifier\":\"\",\"timestamp\":7,\"value\":\"dg==\"}",
            "{\"row\":\"cg==\",\"family\":\"f\",\"qualifier\":\"\",\"timestamp\":7,\"value\":\"\","
                + "\"ttlMillis\":0,\"tags\":\"AAJBBw==\"}",
            "{\"table\":\"t\",\"families\":{\"f\":{}},\"endsWithCount\":true}",
            "{\"cells\":7}",
            "{\"cells\":7,\"crc32c\":\"0a1b2c3d\"}",
            "null",
            "{}")
        .map(line -> line.getBytes(UTF_8));
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) throws IOException {
    String line = new String(bytes, UTF_8);
    CellLines.End end = CellLines.end(line);
    if (end != null) {
      assertThat(end.cells()).isNotNull();
    }
    try {
      assertThat(CellLines.table(line, "t").families()).isNotEmpty();
    } catch (IOException refused) {
      assertThat(refused).hasMessageStartingWith("expected ");
    }
    try {
      Cell cell = CellLines.cell(line);
      assertThat(cell.row()).isNotEmpty();
      assertThat(cell.family()).isNotNull();
      assertThat(cell.qualifier()).isNotNull();
      assertThat(cell.value()).isNotNull();
      String written = CellLines.line(cell);
      assertThat(CellLines.line(CellLines.cell(written))).isEqualTo(written);
    } catch (IOException refused) {
      assertThat(refused).hasMessageStartingWith("expected ");
    }
  }
}
