// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Every codec gives back what it took, keeps the order, and refuses what it has not written. */
class CodecsTest {
  private static final Comparator<String> CODE_POINTS =
      Comparator.comparing(text -> text.codePoints().toArray(), Arrays::compare);

  private static final Comparator<UUID> UNSIGNED =
      Comparator.comparing(UUID::getMostSignificantBits, Long::compareUnsigned)
          .thenComparing(UUID::getLeastSignificantBits, Long::compareUnsigned);

  private record Pair(String name, int number) {}

  private record Triple(byte[] bytes, String name, UUID id) {}

  private record Quad(long number, Pair pair, String name, boolean flag) {}

  private static final Tuple2Codec<Pair, String, Integer> PAIR =
      Codecs.tuple(Codecs.STRING, Pair::name, Codecs.INTEGER, Pair::number, Pair::new);

  private static final Comparator<Pair> PAIR_ORDER =
      Comparator.comparing(Pair::name, CODE_POINTS).thenComparing(Pair::number);

  private static final Tuple3Codec<Triple, byte[], String, UUID> TRIPLE =
      Codecs.tuple(
          Codecs.BYTES,
          Triple::bytes,
          Codecs.STRING.descending(),
          Triple::name,
          Codecs.UUID,
          Triple::id,
          Triple::new);

  private static final Comparator<Triple> TRIPLE_ORDER =
      Comparator.comparing(Triple::bytes, Arrays::compareUnsigned)
          .thenComparing(Triple::name, CODE_POINTS.reversed())
          .thenComparing(Triple::id, UNSIGNED);

  private static final Tuple4Codec<Quad, Long, Pair, String, Boolean> QUAD =
      Codecs.tuple(
          Codecs.LONG.descending(),
          Quad::number,
          PAIR,
          Quad::pair,
          Codecs.STRING,
          Quad::name,
          Codecs.BOOLEAN,
          Quad::flag,
          Quad::new);

  private static final Comparator<Quad> QUAD_ORDER =
      Comparator.comparing(Quad::number, Comparator.<Long>reverseOrder())
          .thenComparing(Quad::pair, PAIR_ORDER)
          .thenComparing(Quad::name, CODE_POINTS)
          .thenComparing(Quad::flag);

  /** A codec, and the order that it must keep. */
  private record Ordered<T>(KeyCodec<T> codec, Comparator<? super T> order) {
    void check(T a, T b) {
      int expected = Integer.signum(order.compare(a, b));
      assertThat(Integer.signum(compare(codec, a, b))).isEqualTo(expected);
      KeyCodec<T> down = codec.descending();
      assertThat(Integer.signum(compare(down, a, b))).isEqualTo(-expected);
      assertThat(order.compare(codec.decode(codec.encode(a)), a)).isZero();
      assertThat(order.compare(down.decode(down.encode(a)), a)).isZero();
      assertThat(down.descending().encode(a)).isEqualTo(codec.encode(a));
      if (codec.fixedBytes() != KeyCodec.VARIABLE) {
        assertThat(codec.encode(a)).hasSize(codec.fixedBytes());
      }
    }

    private static <T> int compare(KeyCodec<T> codec, T a, T b) {
      return Arrays.compareUnsigned(codec.encode(a), codec.encode(b));
    }
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().withChars('\0', '\1', 'a', 'b', '\u00FF', '\uFFFF').ofMaxLength(4),
        Arbitraries.of("", "\uD83D\uDE00", "a\uD83D\uDE00", "\uE000", "\uD800\uDC00", "é"));
  }

  @Provide
  Arbitrary<byte[]> arrays() {
    return Arbitraries.of((byte) 0, (byte) 1, (byte) 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF)
        .array(byte[].class)
        .ofMaxSize(4);
  }

  @Provide
  Arbitrary<Double> doubles() {
    return Arbitraries.oneOf(
        Arbitraries.longs().map(Double::longBitsToDouble),
        Arbitraries.of(
            0.0,
            -0.0,
            Double.NaN,
            Double.MIN_VALUE,
            -Double.MIN_VALUE,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY));
  }

  @Provide
  Arbitrary<Float> floats() {
    return Arbitraries.oneOf(
        Arbitraries.integers().map(Float::intBitsToFloat),
        Arbitraries.of(0f, -0f, Float.NaN, Float.MIN_VALUE, Float.NEGATIVE_INFINITY));
  }

  @Provide
  Arbitrary<Instant> instants() {
    return Arbitraries.oneOf(
        Arbitraries.of(Instant.MIN, Instant.MAX, Instant.EPOCH, Instant.EPOCH.minusNanos(1)),
        Combinators.combine(
                Arbitraries.longs()
                    .between(Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond()),
                Arbitraries.integers().between(0, 999_999_999))
            .as(Instant::ofEpochSecond));
  }

  @Provide
  Arbitrary<LocalDate> dates() {
    return Arbitraries.oneOf(
        Arbitraries.of(LocalDate.MIN, LocalDate.MAX, LocalDate.EPOCH),
        Arbitraries.integers().map(LocalDate::ofEpochDay));
  }

  @Provide
  Arbitrary<UUID> ids() {
    return Combinators.combine(Arbitraries.longs(), Arbitraries.longs()).as(UUID::new);
  }

  @Provide
  Arbitrary<BigInteger> bigIntegers() {
    return Arbitraries.oneOf(
        Arbitraries.bigIntegers()
            .between(BigInteger.ONE.shiftLeft(80).negate(), BigInteger.ONE.shiftLeft(80)),
        Arbitraries.longs().between(-300, 300).map(BigInteger::valueOf));
  }

  @Provide
  Arbitrary<Pair> pairs() {
    return Combinators.combine(texts(), Arbitraries.integers().between(-2, 2)).as(Pair::new);
  }

  @Provide
  Arbitrary<Triple> triples() {
    return Combinators.combine(arrays(), texts(), ids()).as(Triple::new);
  }

  @Provide
  Arbitrary<Quad> quads() {
    return Combinators.combine(
            Arbitraries.longs().between(-1, 1), pairs(), texts(), Arbitraries.of(true, false))
        .as(Quad::new);
  }

  @Property
  void strings(@ForAll("texts") String a, @ForAll("texts") String b) {
    new Ordered<>(Codecs.STRING, CODE_POINTS).check(a, b);
  }

  @Property
  void byteArrays(@ForAll("arrays") byte[] a, @ForAll("arrays") byte[] b) {
    new Ordered<>(Codecs.BYTES, Arrays::compareUnsigned).check(a, b);
  }

  @Property
  void integers(@ForAll int a, @ForAll int b) {
    new Ordered<>(Codecs.INTEGER, Integer::compare).check(a, b);
    new Ordered<>(Codecs.SHORT, Short::compare).check((short) a, (short) b);
    new Ordered<>(Codecs.BOOLEAN, Boolean::compare).check(a < 0, b < 0);
  }

  @Property
  void longs(@ForAll long a, @ForAll long b) {
    new Ordered<>(Codecs.LONG, Long::compare).check(a, b);
    assertThat(Codecs.COUNTER.decode(Codecs.COUNTER.encode(a))).isEqualTo(a);
  }

  @Property
  void floatingPoint(
      @ForAll("doubles") double a,
      @ForAll("doubles") double b,
      @ForAll("floats") float c,
      @ForAll("floats") float d) {
    new Ordered<>(Codecs.DOUBLE, Double::compare).check(a, b);
    new Ordered<>(Codecs.FLOAT, Float::compare).check(c, d);
  }

  @Property
  void bigNumbers(@ForAll("bigIntegers") BigInteger a, @ForAll("bigIntegers") BigInteger b) {
    new Ordered<>(Codecs.BIG_INTEGER, Comparator.<BigInteger>naturalOrder()).check(a, b);
  }

  @Property
  void moments(@ForAll("instants") Instant a, @ForAll("instants") Instant b) {
    new Ordered<>(Codecs.INSTANT, Comparator.<Instant>naturalOrder()).check(a, b);
  }

  @Property
  void days(@ForAll("dates") LocalDate a, @ForAll("dates") LocalDate b) {
    new Ordered<>(Codecs.LOCAL_DATE, LocalDate::compareTo).check(a, b);
  }

  @Property
  void identifiers(@ForAll("ids") UUID a, @ForAll("ids") UUID b) {
    new Ordered<>(Codecs.UUID, UNSIGNED).check(a, b);
    new Ordered<>(Codecs.UUID, Comparator.comparing(UUID::toString)).check(a, b);
  }

  @Property
  void enums(@ForAll TimeUnit a, @ForAll TimeUnit b) {
    new Ordered<>(Codecs.enumByName(TimeUnit.class), Comparator.comparing(TimeUnit::name))
        .check(a, b);
    new Ordered<>(Codecs.enumByOrdinal(TimeUnit.class), Comparator.<TimeUnit>naturalOrder())
        .check(a, b);
  }

  @Property
  void pairsOfTextAndNumber(@ForAll("pairs") Pair a, @ForAll("pairs") Pair b) {
    new Ordered<>(PAIR, PAIR_ORDER).check(a, b);
    assertThat(startsWith(PAIR.encode(b), bytesOf(PAIR.prefix(a.name))))
        .isEqualTo(a.name.equals(b.name));
  }

  @Property
  void triplesWithADescendingComponent(@ForAll("triples") Triple a, @ForAll("triples") Triple b) {
    new Ordered<>(TRIPLE, TRIPLE_ORDER).check(a, b);
    assertThat(startsWith(TRIPLE.encode(b), bytesOf(TRIPLE.prefix(a.bytes, a.name))))
        .isEqualTo(Arrays.equals(a.bytes, b.bytes) && a.name.equals(b.name));
  }

  @Property
  void tuplesInTuples(@ForAll("quads") Quad a, @ForAll("quads") Quad b) {
    new Ordered<>(QUAD, QUAD_ORDER).check(a, b);
    assertThat(startsWith(QUAD.encode(b), bytesOf(QUAD.prefix(a.number, a.pair))))
        .isEqualTo(a.number == b.number && a.pair.equals(b.pair));
    assertThat(
            startsWith(QUAD.encode(b), bytesOf(QUAD.prefix(a.number)))
                && startsWith(QUAD.encode(a), bytesOf(QUAD.prefix(a.number, a.pair, a.name))))
        .isEqualTo(a.number == b.number);
  }

  @Property
  void mappedKeysKeepTheOrder(@ForAll long a, @ForAll long b) {
    KeyCodec<Instant> millis = Codecs.LONG.map(Instant::ofEpochMilli, Instant::toEpochMilli);
    new Ordered<>(millis, Comparator.<Instant>naturalOrder())
        .check(Instant.ofEpochMilli(a), Instant.ofEpochMilli(b));
    KeyCodec<LocalDate> days =
        millis.map(
            instant -> LocalDate.ofInstant(instant, ZoneOffset.UTC),
            day -> day.atStartOfDay(ZoneOffset.UTC).toInstant());
    assertThat(days.fixedBytes()).isEqualTo(Long.BYTES);
  }

  @Property(tries = 500)
  void bytesThatNoCodecHasWrittenAreRefusedOrAreAValue(@ForAll @Size(max = 24) byte[] bytes) {
    for (KeyCodec<?> codec :
        List.<KeyCodec<?>>of(
            Codecs.STRING,
            Codecs.BOOLEAN,
            Codecs.SHORT,
            Codecs.INTEGER,
            Codecs.LONG,
            Codecs.FLOAT,
            Codecs.DOUBLE,
            Codecs.BIG_INTEGER,
            Codecs.INSTANT,
            Codecs.LOCAL_DATE,
            Codecs.UUID,
            Codecs.enumByName(TimeUnit.class),
            Codecs.enumByOrdinal(TimeUnit.class),
            PAIR,
            TRIPLE,
            QUAD)) {
      for (int length = 0; length <= bytes.length; length++) {
        checkDecoding(codec, Arrays.copyOf(bytes, length));
        checkDecoding(codec.descending(), Arrays.copyOf(bytes, length));
      }
    }
  }

  /** What is decoded must have been written as these bytes. */
  private static <T> void checkDecoding(KeyCodec<T> codec, byte[] bytes) {
    T value;
    try {
      value = codec.decode(bytes);
    } catch (CodecException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    assertThat(codec.encode(value)).as("%s of %s", codec, value).isEqualTo(bytes);
  }

  @Test
  void changedTuplesAreRefusedOrAreOthers() {
    byte[] bytes = QUAD.encode(new Quad(1, new Pair("a\0b", 2), "c\0", true));
    for (int i = 0; i < bytes.length; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] changed = bytes.clone();
        changed[i] ^= (byte) (1 << bit);
        checkDecoding(QUAD, changed);
      }
      checkDecoding(QUAD, Arrays.copyOf(bytes, i));
    }
  }

  @Test
  void whatCannotBeEncodedIsRefused() {
    assertThatThrownBy(() -> Codecs.STRING.encode("a\uD83D")).isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> Codecs.STRING.encode("\uDE00")).isInstanceOf(CodecException.class);
    assertThatThrownBy(() -> PAIR.encode(new Pair(nothing(), 1)))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("null");
    Codec<String> failing =
        Codec.of(
            text -> {
              throw new IllegalStateException("encoder");
            },
            bytes -> {
              throw new IllegalStateException("decoder");
            });
    assertThatThrownBy(() -> failing.encode("a"))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("encoder");
    assertThatThrownBy(() -> failing.decode(new byte[0]))
        .isInstanceOf(CodecException.class)
        .hasMessageContaining("decoder");
  }

  @SuppressWarnings("NullAway") // As an application without annotations would.
  private static String nothing() {
    return null;
  }

  private static byte[] bytesOf(KeyPrefix<?> prefix) {
    return HexFormat.of().parseHex(prefix.toString());
  }

  private static boolean startsWith(byte[] bytes, byte[] prefix) {
    return bytes.length >= prefix.length
        && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
  }
}
