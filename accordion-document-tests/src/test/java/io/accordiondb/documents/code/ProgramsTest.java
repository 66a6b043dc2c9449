// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.documents.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The complete programs of the documents print what the documents say. */
@Tag("slow")
final class ProgramsTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "Carts, 3 books",
    "AsynchronousWrites, 1000",
    "Transfer, true",
    "Visits, 1000",
    "Sessions, true false"
  })
  void programPrints(String program, String output) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    getClass().getPackageName() + "." + program))
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String printed = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(printed.lines().toList()).containsExactly(output.split(" (?!books)"));
    assertThat(process.exitValue()).isZero();
  }
}
