// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line says the version of the pom that built it. */
class BuildVersionTest {
  private static final Pattern PARENT =
      Pattern.compile("<parent>.*?<version>(.+?)</version>.*", Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(
      strings = {"--version", "store --version", "store verify -V", "inspect -V", "bench write -V"})
  void theVersionIsThatOfThePom(String line) throws Exception {
    Matcher parent = PARENT.matcher(Files.readString(Path.of("pom.xml")));
    assertThat(parent.find()).isTrue();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int code = Main.run(new PrintWriter(out), new PrintWriter(err), line.split(" "));

    assertThat(out.toString().strip()).isEqualTo("accordion " + parent.group(1));
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
  }
}
