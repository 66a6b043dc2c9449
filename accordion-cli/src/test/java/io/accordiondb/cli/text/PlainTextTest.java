// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void controlCharactersAreShownInHexadecimal() {
    assertThat(PlainText.of("\u001b]0;title\u0007 \u009b31m\r\u007f\u0080"))
        .isEqualTo("\\x1B]0;title\\x07 \\x9B31m\\x0D\\x7F\\x80");
  }

  @Test
  void otherTextStaysAsItIs() {
    String text = "two\n\tlines, \u00a0\u00e4\u20ac \\x1B";
    assertThat(PlainText.of(text)).isSameAs(text);
    assertThat(PlainText.of(42)).isEqualTo("42");
  }

  @Test
  void aTableShowsNoneAndKeepsItsColumns() {
    assertThat(new TextTable("name", ">n").row("\u001b[2J", 1).row("abcdef", 22).lines())
        .containsExactly("name      n", "\\x1B[2J   1", "abcdef   22");
  }
}
