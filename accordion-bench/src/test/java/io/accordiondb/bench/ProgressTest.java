// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private static final String LINE = "write       50%   1,234,567 /s  3 s left  ";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private String relayed(String... lines) {
    Consumer<String> relay = Progress.relay(new PrintStream(out, true, StandardCharsets.UTF_8));
    List.of(lines).forEach(relay);
    return out.toString(StandardCharsets.UTF_8);
  }

  @AfterEach
  void noTerminal() {
    System.clearProperty("accordion.terminal");
  }

  @Test
  void theProgressOfAnotherProcessIsShownWithoutWhatElseItSays() {
    assertThat(relayed("a warning: 50% full", LINE, "")).isEqualTo(LINE + "\n");
  }

  @Test
  void onATerminalItsLineIsWrittenOverAndAtLastCleared() {
    System.setProperty("accordion.terminal", "true");
    assertThat(relayed("", LINE + "\u001b[K", "a warning", "\u001b[K"))
        .isEqualTo("\r" + LINE + "\u001b[K" + "\r\u001b[K");
  }
}
