// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.cli.text.Encoding;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.LogFileOutline;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogFileViewTest {
  private static final String FILE = "wal/000000000003.log";

  @Test
  void anOpenDatabaseMayDeleteALogFileThatWasListed() throws IOException {
    Inspector inspector =
        (Inspector)
            Proxy.newProxyInstance(
                Inspector.class.getClassLoader(),
                new Class<?>[] {Inspector.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("logFiles")) {
                    return List.of(new LogFileOutline(3, FILE, 100, true));
                  }
                  throw new NoSuchFileException(FILE);
                });
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed, true);
    InspectOutput.Wishes wishes =
        new InspectOutput.Wishes(Path.of("db"), null, false, true, Encoding.TEXT, Encoding.TEXT);
    new LogFileView(new InspectOutput(out, out, false, wishes)).print(inspector);
    out.flush();
    assertThat(printed.toString()).contains(FILE, "deleted it meanwhile", "0 records");
  }
}
