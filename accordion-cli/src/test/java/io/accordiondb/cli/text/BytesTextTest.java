// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTextTest {
  @ParameterizedTest
  @EnumSource
  void whatIsPrintedIsReadBack(Encoding encoding) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      String text = BytesText.format(bytes, encoding);
      assertThat(BytesText.parse(text)).as("seed %d: %s", seed, text).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"hex:00", "long:1", "text:", "base64:", "int:x", "", "a b", "\\x00", "'\""})
  void textThatLooksLikeAnEncodingIsReadBack(String text) {
    byte[] bytes = text.getBytes(ISO_8859_1);
    assertThat(BytesText.parse(BytesText.format(bytes))).isEqualTo(bytes);
  }

  @Test
  void printsAsHBaseDoes() {
    assertThat(BytesText.format(new byte[] {'a', 0, (byte) 0xFE, '\\', '~', 0x7F}))
        .isEqualTo("a\\x00\\xFE\\x5C~\\x7F");
    assertThat(BytesText.format(new byte[] {0, 0, 0, 0, 0, 0, 0, 42}, Encoding.LONG))
        .isEqualTo("long:42");
    assertThat(BytesText.format(new byte[] {1}, Encoding.LONG)).isEqualTo("\\x01");
    assertThat(BytesText.format(new byte[] {-1, -1, -1, -2}, Encoding.INT)).isEqualTo("int:-2");
  }

  @Test
  void readsCharactersAsUtf8() {
    assertThat(BytesText.parse("\u00e4\\t\\'\\\\")).isEqualTo("\u00e4\t'\\".getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\",
        "\\x0",
        "\\xzz",
        "\\y",
        "hex:0",
        "hex:zz",
        "base64:*",
        "long:",
        "int:9999999999"
      })
  void refusesWhatItCannotRead(String text) {
    assertThatThrownBy(() -> BytesText.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"" + text + "\" cannot be read as bytes")
        .hasMessageContaining("hex:00ff");
  }
}
