// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.accordiondb.cli.text.BytesText;
import java.util.stream.Stream;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.params.provider.MethodSource;

/** Any text is read as statements, filter or bytes, or refused with a message. */
class StatementFuzzTest {
  static Stream<byte[]> sound() {
    return Stream.of(
            "put 't', 'r', 'f:q', 'v'; get t r f:hex:00 # comment",
            "scan t, {LIMIT => 1, COLUMNS => ['a', b], FILTER => \"PrefixFilter('x')\"}",
            "PrefixFilter('a') AND NOT (ValueFilter(>=, 'binary:b') OR KeyOnlyFilter())",
            "hex:00ff",
            "a\\x00\\n'",
            "'a\\")
        .map(text -> text.getBytes(UTF_8));
  }

  @MethodSource("sound")
  @FuzzTest(maxDuration = "1m")
  void isReadOrRefused(byte[] bytes) {
    String text = new String(bytes, UTF_8);
    refusedWithAMessage(() -> StatementParser.parse(text));
    refusedWithAMessage(() -> FilterParser.parse(text));
    refusedWithAMessage(
        () -> {
          byte[] read = BytesText.parse(text);
          assertThat(BytesText.parse(BytesText.format(read))).isEqualTo(read);
        });
    for (int cursor = 0; cursor <= text.length(); cursor++) {
      String written = new ShellLineParser().parse(text, cursor, ParseContext.COMPLETE).word();
      assertThat(written.length()).isLessThanOrEqualTo(cursor);
    }
  }

  private static void refusedWithAMessage(Runnable reading) {
    try {
      reading.run();
    } catch (IllegalArgumentException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
