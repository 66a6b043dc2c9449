// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JsonTest {
  private record Figures(double known, double unknown, List<Double> more) {}

  /** A field that is a number must not become a text where there is none. */
  @Test
  void writesNullForWhatIsNoNumber() throws IOException {
    Figures figures =
        new Figures(0.5, Double.NaN, List.of(Double.NaN, Double.POSITIVE_INFINITY, -1 / 0.0, 2.0));
    String json = Json.write(figures);
    assertThat(json).isEqualTo("{\"known\":0.5,\"unknown\":null,\"more\":[null,null,null,2.0]}");
    Figures read = Json.read(json, Figures.class);
    assertThat(read.known()).isEqualTo(0.5);
    assertThat(read.unknown()).isNaN();
  }
}
