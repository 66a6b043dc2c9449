// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import static io.accordiondb.fixtures.TestData.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.accordiondb.MergeOperator;
import io.accordiondb.fixtures.TestData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** Each operator gives one result however its operands are grouped; and it is the right one. */
class MergeOperatorsTest {
  private static final MergeOperator JSON = MergeOperators.jsonMergePatch();

  /** An operator, a value or none, operands, and where they are cut. */
  record Sample(
      MergeOperator operator, byte @Nullable [] value, List<byte[]> operands, int from, int to) {
    @Override
    public String toString() {
      List<String> texts = operands.stream().map(TestData::text).toList();
      return operator.name() + " " + (value == null ? null : text(value)) + texts + from + "-" + to;
    }
  }

  @Provide
  Arbitrary<Sample> samples() {
    return Arbitraries.of(MergeOperators.all()).flatMap(this::samplesOf);
  }

  private Arbitrary<Sample> samplesOf(MergeOperator operator) {
    Arbitrary<byte[]> any = operands(operator);
    return Combinators.combine(
            any.injectNull(0.3),
            any.list().ofMinSize(3).ofMaxSize(6),
            Arbitraries.integers().between(0, 2),
            Arbitraries.integers().between(2, 4))
        .as(
            (value, operands, from, length) ->
                new Sample(
                    operator,
                    value,
                    operands,
                    Math.min(from, operands.size() - 2),
                    Math.min(operands.size(), from + length)));
  }

  private Arbitrary<byte[]> operands(MergeOperator operator) {
    return switch (operator.name()) {
      case "counter", "max-long", "min-long" ->
          Arbitraries.longs().map(n -> ByteBuffer.allocate(8).putLong(n).array());
      case "set-union" -> bytes().list().ofMaxSize(4).map(ByteSets::encode);
      case "json-merge-patch" -> json(3).map(MergeOperatorsTest::bytes);
      default -> bytes();
    };
  }

  private static Arbitrary<byte[]> bytes() {
    return Arbitraries.bytes().array(byte[].class).ofMaxSize(5);
  }

  private Arbitrary<String> json(int depth) {
    Arbitrary<String> leaf = Arbitraries.of("null", "true", "1.50", "\"x\"", "[1,null]", "{}");
    if (depth == 0) {
      return leaf;
    }
    Arbitrary<String> member =
        Combinators.combine(Arbitraries.of("a", "b", "c"), json(depth - 1))
            .as((name, value) -> "\"" + name + "\":" + value);
    Arbitrary<String> object =
        member
            .list()
            .ofMaxSize(3)
            .uniqueElements(text -> text.substring(0, 3))
            .map(members -> "{" + String.join(",", members) + "}");
    return Arbitraries.frequencyOf(
        net.jqwik.api.Tuple.of(1, leaf), net.jqwik.api.Tuple.of(4, object));
  }

  @Property(tries = 2000)
  void theGroupingOfOperandsDoesNotMatter(@ForAll("samples") Sample sample) {
    MergeOperator operator = sample.operator;
    byte[] whole = operator.apply(sample.value, sample.operands);

    byte[] single = sample.value;
    for (byte[] operand : sample.operands) {
      single = operator.apply(single, List.of(operand));
    }
    assertThat(single).isEqualTo(whole);

    byte[] combined = operator.combine(sample.operands.subList(sample.from, sample.to));
    if (combined != null) {
      List<byte[]> fewer = new ArrayList<>(sample.operands.subList(0, sample.from));
      fewer.add(combined);
      fewer.addAll(sample.operands.subList(sample.to, sample.operands.size()));
      assertThat(operator.apply(sample.value, fewer)).isEqualTo(whole);
    }
  }

  @Example
  void theExamplesOfTheRfcForJsonMergePatchHold() {
    String[][] examples = {
      {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
      {"{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"},
      {"{\"a\":\"b\"}", "{\"a\":null}", "{}"},
      {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
      {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
      {"{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"},
      {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
      {"{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"},
      {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
      {"{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"},
      {"{\"a\":\"foo\"}", "null", "null"},
      {"{\"a\":\"foo\"}", "\"bar\"", "\"bar\""},
      {"{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"},
      {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
      {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
    };
    for (String[] example : examples) {
      assertThat(text(JSON.apply(bytes(example[0]), List.of(bytes(example[1])))))
          .isEqualTo(example[2]);
    }
  }

  @Example
  void theOrderOfJsonMembersDoesNotDependOnTheGrouping() {
    byte[] value = bytes("{\"a\":0,\"b\":1}");
    List<byte[]> patches = List.of(bytes("{\"a\":null}"), bytes("{\"a\":2}"));
    assertThat(text(JSON.apply(value, patches))).isEqualTo("{\"b\":1,\"a\":2}");
    assertThat(JSON.combine(patches)).isNull();
    List<byte[]> nested = List.of(bytes("{\"n\":{\"a\":null}}"), bytes("{\"n\":{\"a\":2}}"));
    assertThat(JSON.combine(nested)).isNull();
    assertThat(text(JSON.combine(List.of(patches.get(1), patches.get(0)))))
        .isEqualTo("{\"a\":null}");
  }

  @Example
  void jsonTextsKeepTheirNumbersAndStrings() {
    String text = "{\"n\":[-0,1e+400,0.10,12345678901234567890],\"s\":\"\\u00e9\\n\\\"é\"}";
    assertThat(text(JSON.apply(bytes(" " + text.replace(",", " ,\n")), List.of(bytes("{}")))))
        .isEqualTo(text);
    assertThat(text(JSON.apply(null, List.of(bytes("{\"a\\\"\\u0001\":{}}")))))
        .isEqualTo("{\"a\\\"\\u0001\":{}}");
  }

  @Example
  void whatIsNoJsonIsRefused() {
    for (String wrong :
        new String[] {
          "",
          "{",
          "{\"a\"}",
          "{\"a\":1,}",
          "[1,]",
          "[1 2]",
          "01",
          "1.",
          "-",
          "1e",
          "tru",
          "\"a",
          "\"\\x\"",
          "\"\\u12g4\"",
          "\"\n\"",
          "{} {}",
          "{\"a\":1,\"a\":2}",
          "nulll",
          "+1",
          "[".repeat(600) + "]".repeat(600)
        }) {
      assertThatThrownBy(() -> JSON.apply(null, List.of(bytes(wrong))))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("JSON");
    }
    assertThatThrownBy(() -> JSON.apply(null, List.of(new byte[] {(byte) 0xFF})))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Example
  void setsAndNumbersOfTheWrongFormAreRefused() {
    assertThatThrownBy(() -> ByteSets.decode(new byte[] {0, 0, 0, 1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset 0");
    assertThatThrownBy(() -> ByteSets.decode(new byte[] {0, 0, 0}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> MergeOperators.counter().apply(null, List.of(new byte[7])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("7 bytes");
    assertThat(ByteSets.decode(ByteSets.encode(Arrays.asList(bytes("b"), bytes("a"), bytes("b")))))
        .containsExactly(bytes("a"), bytes("b"));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
