// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.bench.Progress;
import org.junit.jupiter.api.Test;

class WorkProgressTest {
  @Test
  void saysRateAndTimeLeft() {
    assertThat(WorkProgress.line("export", "cells", 250, 1000, 2.5))
        .isEqualTo("export: 250 cells of 1,000 cells, 25 %, 100 cells/s, 8 s left");
    assertThat(WorkProgress.line("copy", "bytes", 1 << 20, 401L << 20, 1))
        .isEqualTo("copy: 1.0 MB of 401.0 MB, 0 %, 1.0 MB/s, 6:40 min left");
  }

  @Test
  void promisesNothingWhereTheTotalIsUnknown() {
    assertThat(WorkProgress.line("import", "cells", 10, 0, 5))
        .isEqualTo("import: 10 cells, 2 cells/s");
    assertThat(WorkProgress.line("compact", "", 0, 0, 75)).isEqualTo("compact: 1:15 min");
  }

  @Test
  void aLineThatIsLongerThanTheTerminalIsWideIsCut() {
    assertThat(Progress.overwriting("import: 10 cells"))
        .isEqualTo("\r\u001b[?7limport: 10 cells\u001b[K\u001b[?7h");
  }
}
