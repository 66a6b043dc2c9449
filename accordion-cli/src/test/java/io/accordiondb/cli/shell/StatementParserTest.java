// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatementParserTest {
  private static Value word(String text) {
    return new Value.Word(text);
  }

  private static List<Value> arguments(String text) {
    List<Statement> statements = StatementParser.parse(text);
    assertThat(statements).hasSize(1);
    return statements.get(0).arguments();
  }

  @Test
  void commasAndQuotesMayBeLeftOut() {
    List<Value> expected = List.of(word("t"), word("r"), word("f:q"));
    assertThat(arguments("get t r f:q")).isEqualTo(expected);
    assertThat(arguments("get 't', \"r\", 'f:q'")).isEqualTo(expected);
    assertThat(arguments("  get t,r,f:q ; ")).isEqualTo(expected);
    assertThat(arguments("get t,\n r,\n\n f:q # and so on")).isEqualTo(expected);
    assertThat(arguments("get t \\\n r f:q")).isEqualTo(expected);
    assertThat(arguments("get t r C:\\\\\n")).endsWith(word("C:\\\\"));
    assertThat(arguments("get t r C:\\\\")).endsWith(word("C:\\\\"));
  }

  @Test
  void quotesKeepBlanksAndEscapes() {
    assertThat(arguments("get 'a b; {' \"it's\" 'it\\'s'"))
        .containsExactly(word("a b; {"), word("it's"), word("it\\'s"));
    assertThat(arguments("get 'two\nlines'")).containsExactly(word("two\nlines"));
    assertThat(arguments("get ''")).containsExactly(word(""));
  }

  @Test
  void optionsStandInBracesOrAtTheEnd() {
    Value.Options options =
        new Value.Options(
            Map.of("LIMIT", word("1"), "COLUMNS", new Value.Items(List.of(word("a"), word("b")))));
    assertThat(arguments("scan t, {LIMIT => 1, COLUMNS => ['a', b]}"))
        .containsExactly(word("t"), options);
    assertThat(arguments("scan t limit=>1 COLUMNS => [a b]")).containsExactly(word("t"), options);
    assertThat(arguments("scan t, {\n LIMIT => 1,\n COLUMNS => [\n a,\n b\n ]\n}"))
        .containsExactly(word("t"), options);
    assertThat(arguments("put t r f:q a=b")).contains(word("a=b"));
  }

  @Test
  void statementsKnowTheirLine() {
    assertThat(StatementParser.parse("a\n\n# c\nb 'x\ny'; c\n\nd"))
        .extracting(Statement::line)
        .containsExactly(1, 4, 5, 7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get t,",
        "get t \\",
        "get t \\\n",
        "get t\\\n",
        "get 'a",
        "get \"a\\\"",
        "scan {",
        "scan {A",
        "scan {A =>",
        "scan [a",
        "scan A =>"
      })
  void knowsWhatMayGoOn(String text) {
    assertThatThrownBy(() -> StatementParser.parse(text))
        .isInstanceOf(IncompleteStatementException.class)
        .hasMessageContaining("is not complete: it needs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"]", "get }", "scan {A b}", "scan {A => 1, A => 2}", "=> a", ", a"})
  void refusesWhatCannotGoOn(String text) {
    assertThatThrownBy(() -> StatementParser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .isNotInstanceOf(IncompleteStatementException.class);
  }

  @Test
  void refusesEndlessNesting() {
    assertThatThrownBy(() -> StatementParser.parse("a " + "[".repeat(100_000)))
        .hasMessageContaining("within each other");
  }
}
