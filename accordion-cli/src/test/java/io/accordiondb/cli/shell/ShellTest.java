// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.Database;
import java.io.PrintWriter;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ShellTest {
  private final StringWriter out = new StringWriter();

  private void run(Database database, Reader script) throws Exception {
    Shell.runScript(database, ShellMode.READ_WRITE, false, new PrintWriter(out), "script", script);
  }

  @Test
  void printsBeforeItReadsOn() throws Exception {
    Reader script =
        new Reader() {
          private int lines;

          @Override
          public int read(char[] buffer, int offset, int length) {
            String line =
                switch (lines++) {
                  case 0 -> "create t f\n";
                  case 1 -> "count t\n";
                  default -> "";
                };
            if (line.isEmpty()) {
              assertThat(out.toString()).contains("rows  0");
              return -1;
            }
            line.getChars(0, line.length(), buffer, offset);
            return line.length();
          }

          @Override
          public void close() {}
        };
    try (Database database = Database.inMemory()) {
      run(database, script);
    }
    assertThat(out.toString()).contains("created  t", "rows  0");
  }

  @Test
  void namesTheLineOfWhatIsNotComplete() throws Exception {
    try (Database database = Database.inMemory()) {
      assertThatThrownBy(() -> run(database, new StringReader("create t f\n\nget t,\n\n")))
          .isInstanceOf(StatementException.class)
          .hasMessageContaining("script, line 3")
          .rootCause()
          .hasMessageContaining("needs a value behind the comma");
      assertThat(database.exists("t")).isTrue();
    }
  }
}
