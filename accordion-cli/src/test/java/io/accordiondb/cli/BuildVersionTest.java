// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The command line says the version of the pom that built it. */
class BuildVersionTest {
  private static final Pattern PARENT =
      Pattern.compile("<parent>.*?<version>(.+?)</version>.*", Pattern.DOTALL);

  @Test
  void theVersionIsThatOfThePom() throws Exception {
    Matcher parent = PARENT.matcher(Files.readString(Path.of("pom.xml")));
    assertThat(parent.find()).isTrue();
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();

    int code = Main.run(new PrintWriter(out), new PrintWriter(err), "--version");

    assertThat(out.toString().strip()).isEqualTo("accordion " + parent.group(1));
    assertThat(err.toString()).isEmpty();
    assertThat(code).isZero();
  }
}
