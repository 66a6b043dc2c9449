// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Database;
import io.accordiondb.Put;
import io.accordiondb.TableDescriptor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class TerminalShellTest {
  private static final String END = "\u0004";

  @TempDir Path folder;

  /** Types text into a shell on a database with a table, and returns what the terminal shows. */
  private String type(String typed, String terminalType, Path history, int height)
      throws IOException {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    try (Database database = Database.inMemory();
        Terminal terminal =
            new ExternalTerminal(
                "test",
                terminalType,
                new ByteArrayInputStream((typed + END).getBytes(UTF_8)),
                shown,
                UTF_8)) {
      terminal.setSize(new Size(200, height));
      database.createTable(TableDescriptor.of("users", "profile"));
      for (int i = 0; i < 100; i++) {
        database
            .table("users")
            .put(
                new Put(String.format(Locale.ROOT, "row%03d", i).getBytes(US_ASCII))
                    .addColumn("profile".getBytes(US_ASCII), new byte[0], new byte[0]));
      }
      new TerminalShell(
              database,
              ShellMode.READ_WRITE,
              false,
              terminal,
              failure -> String.valueOf(failure.getMessage()))
          .run(history);
      terminal.writer().flush();
    }
    return shown.toString(UTF_8);
  }

  /** Returns what is shown without what moves the cursor or sets colors. */
  private static String plain(String shown) {
    return shown.replaceAll("\u001b\\[[0-9;?]*[A-Za-z]", "");
  }

  private String type(String typed) throws IOException {
    return plain(type(typed, "xterm", null, 200));
  }

  @Test
  void runsStatementsOfSeveralLinesUntilTheEnd() throws IOException {
    assertThat(type("count users\nget users,\n row007\n"))
        .contains("100", "         > ", "1 row, 1 cell");
    assertThat(type("exit\ncount users\n")).doesNotContain("100");
  }

  @Test
  void showsErrorsAndGoesOn() throws IOException {
    assertThat(type("nope\nscan nope\nget 'users' ]\ncount users\n"))
        .contains("there is no command nope", "list shows the tables", "expected a value", "100");
  }

  @Test
  void completesCommandsTablesRowsAndFamilies() throws IOException {
    assertThat(type("coun\tuse\t\n")).contains("100");
    assertThat(type("put users row0071 prof\tx later\nget users row0071\n"))
        .contains("column=profile:x")
        .contains("value=later");
    assertThat(type("get users row09\t\u0003")).contains("row091", "row099");
    assertThat(type("policy BASIC use\tprof\t\n")).contains("its own");
  }

  @Test
  void showsPageAfterPage() throws IOException {
    String stopped = plain(type("scan users\n q", "xterm", null, 20));
    assertThat(stopped).contains("-- Enter: a line", "row000", "row030", "stopped");
    assertThat(stopped).doesNotContain("row099");
    assertThat(plain(type("scan users\na", "xterm", null, 20))).contains("row099", "100 rows");
    assertThat(type("scan users\n", "xterm", null, 2))
        .contains("row099")
        .doesNotContain("-- Enter");
  }

  @Test
  void keepsColorsFromTerminalsWithout() throws IOException {
    assertThat(type("scan users\n", "xterm", null, 200)).contains("\u001b[36mrow000");
    assertThat(type("scan users\nnope\n", Terminal.TYPE_DUMB, null, 200))
        .contains("row000")
        .doesNotContain("\u001b[36m", "\u001b[31m");
  }

  @Test
  void keepsHistory() throws IOException {
    Path history = folder.resolve("history");
    type("count users\n", "xterm", history, 200);
    assertThat(Files.readString(history)).contains("count users");
    // Ctrl-P brings back the line of the session before.
    assertThat(type("\u0010\n", "xterm", history, 200)).contains("rows\u001b[0m  100");
  }
}
