// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The codecs of common types. All but {@link #COUNTER} keep the order of the values, so they serve
 * for keys as well as for values. All are thread-safe, and refuse bytes that they would not write
 * themselves.
 *
 * <p>A key of several components is a record of your own:
 *
 * <pre>{@code
 * record OrderKey(String customer, Instant at) {}
 *
 * Tuple2Codec<OrderKey, String, Instant> orderKeys =
 *     Codecs.tuple(
 *         Codecs.STRING, OrderKey::customer,
 *         Codecs.INSTANT.descending(), OrderKey::at, // The newest order first.
 *         OrderKey::new);
 * }</pre>
 */
public final class Codecs {
  /**
   * Strings in UTF-8, in the order of their code points. That is the order of {@link
   * String#compareTo} except for characters beyond U+FFFF, which come last here. A string with half
   * of a surrogate pair is refused. The empty string cannot be a key, because keys are not empty.
   */
  public static final KeyCodec<String> STRING = new StringCodec();

  /**
   * Arrays, which are not copied, in the order of unsigned bytes. An empty array cannot be a key.
   */
  public static final KeyCodec<byte[]> BYTES = new BytesCodec();

  /** One byte; false comes first. */
  public static final KeyCodec<Boolean> BOOLEAN =
      new FixedCodec<>(
          "boolean",
          1,
          (buffer, value) -> buffer.put((byte) (value ? 1 : 0)),
          buffer -> booleanOf(buffer.get()));

  /** Two bytes. */
  public static final KeyCodec<Short> SHORT =
      new FixedCodec<>(
          "short",
          Short.BYTES,
          (buffer, value) -> buffer.putShort((short) (value ^ Short.MIN_VALUE)),
          buffer -> (short) (buffer.getShort() ^ Short.MIN_VALUE));

  /** Four bytes. */
  public static final KeyCodec<Integer> INTEGER =
      new FixedCodec<>(
          "int",
          Integer.BYTES,
          (buffer, value) -> buffer.putInt(value ^ Integer.MIN_VALUE),
          buffer -> buffer.getInt() ^ Integer.MIN_VALUE);

  /** Eight bytes. */
  public static final KeyCodec<Long> LONG =
      new FixedCodec<>(
          "long",
          Long.BYTES,
          (buffer, value) -> buffer.putLong(value ^ Long.MIN_VALUE),
          buffer -> buffer.getLong() ^ Long.MIN_VALUE);

  /** Four bytes, in the order of {@link Float#compare}: -0.0 before 0.0, NaN last and only one. */
  public static final KeyCodec<Float> FLOAT =
      new FixedCodec<>(
          "float",
          Float.BYTES,
          (buffer, value) -> buffer.putInt(sortable(Float.floatToIntBits(value))),
          buffer -> floatOf(buffer.getInt()));

  /** Eight bytes, in the order of {@link Double#compare}: -0.0 before 0.0, NaN last, only one. */
  public static final KeyCodec<Double> DOUBLE =
      new FixedCodec<>(
          "double",
          Double.BYTES,
          (buffer, value) -> buffer.putLong(sortable(Double.doubleToLongBits(value))),
          buffer -> doubleOf(buffer.getLong()));

  /** Four bytes more than the shortest two's complement of the integer. */
  public static final KeyCodec<BigInteger> BIG_INTEGER = new BigIntegerCodec();

  /** Twelve bytes, to the nanosecond. */
  public static final KeyCodec<Instant> INSTANT =
      new FixedCodec<>(
          "instant",
          Long.BYTES + Integer.BYTES,
          (buffer, value) ->
              buffer.putLong(value.getEpochSecond() ^ Long.MIN_VALUE).putInt(value.getNano()),
          buffer -> instantOf(buffer.getLong() ^ Long.MIN_VALUE, buffer.getInt()));

  /** Eight bytes: the number of the day since 1970-01-01. */
  public static final KeyCodec<LocalDate> LOCAL_DATE =
      new FixedCodec<>(
          "date",
          Long.BYTES,
          (buffer, value) -> buffer.putLong(value.toEpochDay() ^ Long.MIN_VALUE),
          buffer -> LocalDate.ofEpochDay(buffer.getLong() ^ Long.MIN_VALUE));

  /**
   * Sixteen bytes, in the order of the UUID as an unsigned number of 128 bits, which is the order
   * of its text. {@link UUID#compareTo} has another order: it compares signed halves.
   */
  public static final KeyCodec<UUID> UUID =
      new FixedCodec<>(
          "UUID",
          2 * Long.BYTES,
          (buffer, value) ->
              buffer
                  .putLong(value.getMostSignificantBits())
                  .putLong(value.getLeastSignificantBits()),
          buffer -> new UUID(buffer.getLong(), buffer.getLong()));

  /**
   * Longs in the format of {@link io.accordiondb.KeyValueStore#increment}. For values only: as
   * keys, negative ones would sort last.
   */
  public static final Codec<Long> COUNTER =
      new FixedCodec<>("counter", Long.BYTES, ByteBuffer::putLong, ByteBuffer::getLong);

  private static final int ORDINALS = 1 << Short.SIZE;

  private Codecs() {}

  private static boolean booleanOf(byte b) {
    if (b >>> 1 != 0) {
      throw new CodecException("expected 0 or 1, got " + b);
    }
    return b == 1;
  }

  private static int sortable(int bits) {
    return bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE;
  }

  private static long sortable(long bits) {
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  private static float floatOf(int sortable) {
    int bits = sortable < 0 ? sortable ^ Integer.MIN_VALUE : ~sortable;
    float value = Float.intBitsToFloat(bits);
    if (Float.floatToIntBits(value) != bits) {
      throw new CodecException("not the NaN that is written");
    }
    return value;
  }

  private static double doubleOf(long sortable) {
    long bits = sortable < 0 ? sortable ^ Long.MIN_VALUE : ~sortable;
    double value = Double.longBitsToDouble(bits);
    if (Double.doubleToLongBits(value) != bits) {
      throw new CodecException("not the NaN that is written");
    }
    return value;
  }

  private static Instant instantOf(long second, int nano) {
    Instant value = Instant.ofEpochSecond(second, nano);
    if (value.getNano() != nano) {
      throw new CodecException(nano + " is no number of nanoseconds within a second");
    }
    return value;
  }

  /**
   * {@return a codec of an enum's constants by name, in the order of the names}
   *
   * @param <E> the type of the enum
   * @param type the class of the enum
   */
  public static <E extends Enum<E>> KeyCodec<E> enumByName(Class<E> type) {
    Objects.requireNonNull(type, "type");
    return STRING.map(name -> Enum.valueOf(type, name), E::name);
  }

  /**
   * {@return a codec of an enum's constants by ordinal, in two bytes, in the order in which they
   * are declared} If you move a constant, or insert one between others, existing bytes change their
   * meaning.
   *
   * @param <E> the type of the enum
   * @param type the class of the enum
   */
  public static <E extends Enum<E>> KeyCodec<E> enumByOrdinal(Class<E> type) {
    E[] constants = Objects.requireNonNull(type, "type").getEnumConstants();
    return new FixedCodec<>(
        type.getSimpleName() + " by ordinal",
        Short.BYTES,
        (buffer, value) -> buffer.putShort((short) value.ordinal()),
        buffer -> constants[buffer.getShort() & ORDINALS - 1]);
  }

  /**
   * {@return a codec of records of two components, in the order of the first one, then of the
   * second} Components of any length stay apart: ("a", "bc") and ("ab", "c") differ.
   *
   * @param <T> the type of the records
   * @param <A> the type of the first component
   * @param <B> the type of the second component
   * @param maker makes a record of its components; may refuse them by throwing any {@link
   *     RuntimeException}
   * @param firstCodec the codec of the first component
   * @param first returns the first component of a record
   * @param secondCodec the codec of the second component
   * @param second returns the second component of a record
   */
  public static <T, A, B> Tuple2Codec<T, A, B> tuple(
      KeyCodec<A> firstCodec,
      Function<? super T, ? extends A> first,
      KeyCodec<B> secondCodec,
      Function<? super T, ? extends B> second,
      BiFunction<? super A, ? super B, ? extends T> maker) {
    return new Tuple2Codec<>(
        new Component<>(firstCodec, first),
        new Component<>(secondCodec, second),
        Objects.requireNonNull(maker, "maker"));
  }

  /**
   * Same as above, for records of three components.
   *
   * @param <T> the type of the records
   * @param <A> the type of the first component
   * @param <B> the type of the second component
   * @param <C> the type of the third component
   * @param firstCodec the codec of the first component
   * @param first returns the first component of a record
   * @param secondCodec the codec of the second component
   * @param second returns the second component of a record
   * @param thirdCodec the codec of the third component
   * @param third returns the third component of a record
   * @param maker makes a record of its components
   * @return the codec
   */
  public static <T, A, B, C> Tuple3Codec<T, A, B, C> tuple(
      KeyCodec<A> firstCodec,
      Function<? super T, ? extends A> first,
      KeyCodec<B> secondCodec,
      Function<? super T, ? extends B> second,
      KeyCodec<C> thirdCodec,
      Function<? super T, ? extends C> third,
      Tuple3Codec.Maker<? super A, ? super B, ? super C, ? extends T> maker) {
    return new Tuple3Codec<>(
        new Component<>(firstCodec, first),
        new Component<>(secondCodec, second),
        new Component<>(thirdCodec, third),
        Objects.requireNonNull(maker, "maker"));
  }

  /**
   * Same as above, for records of four components.
   *
   * @param <T> the type of the records
   * @param <A> the type of the first component
   * @param <B> the type of the second component
   * @param <C> the type of the third component
   * @param <D> the type of the fourth component
   * @param firstCodec the codec of the first component
   * @param first returns the first component of a record
   * @param secondCodec the codec of the second component
   * @param second returns the second component of a record
   * @param thirdCodec the codec of the third component
   * @param third returns the third component of a record
   * @param fourthCodec the codec of the fourth component
   * @param fourth returns the fourth component of a record
   * @param maker makes a record of its components
   * @return the codec
   */
  public static <T, A, B, C, D> Tuple4Codec<T, A, B, C, D> tuple(
      KeyCodec<A> firstCodec,
      Function<? super T, ? extends A> first,
      KeyCodec<B> secondCodec,
      Function<? super T, ? extends B> second,
      KeyCodec<C> thirdCodec,
      Function<? super T, ? extends C> third,
      KeyCodec<D> fourthCodec,
      Function<? super T, ? extends D> fourth,
      Tuple4Codec.Maker<? super A, ? super B, ? super C, ? super D, ? extends T> maker) {
    return new Tuple4Codec<>(
        new Component<>(firstCodec, first),
        new Component<>(secondCodec, second),
        new Component<>(thirdCodec, third),
        new Component<>(fourthCodec, fourth),
        Objects.requireNonNull(maker, "maker"));
  }
}
