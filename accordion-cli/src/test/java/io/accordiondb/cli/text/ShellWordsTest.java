// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordsTest {
  @Test
  void quotesWhatAShellWouldTakeApart() {
    assertThat(ShellWords.join(List.of("bench", "--records=10", "-p", "a,b")))
        .isEqualTo("bench --records=10 -p a,b");
    assertThat(ShellWords.join(List.of("--regimes", "16 MB", "{\"a\":1}", "it's", "", "$HOME")))
        .isEqualTo("--regimes '16 MB' '{\"a\":1}' 'it'\\''s' '' '$HOME'");
  }
}
