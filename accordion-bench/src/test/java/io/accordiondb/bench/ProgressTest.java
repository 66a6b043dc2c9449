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

  /** A line that is longer than the terminal is wide must not go on in the next one. */
  @Test
  void onATerminalItsLineIsCutAndWrittenOverAndAtLastCleared() {
    System.setProperty("accordion.terminal", "true");
    String shown = "\u001b[?7l" + LINE + "\u001b[K\u001b[?7h";
    assertThat(relayed("", shown, "a warning", "\u001b[K")).isEqualTo("\r" + shown + "\r\u001b[K");
    assertThat(Progress.plain(shown)).isEqualTo(LINE);
  }
}
