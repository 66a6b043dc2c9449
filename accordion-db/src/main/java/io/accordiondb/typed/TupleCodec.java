// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.typed;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The common part of the codecs of tuples. */
abstract class TupleCodec<T> implements KeyCodec<T> {
  private final List<Component<T, ?>> components;
  private final int fixedBytes;

  TupleCodec(List<Component<T, ?>> components) {
    this.components = components;
    fixedBytes =
        components.stream()
            .mapToInt(component -> component.codec().fixedBytes())
            .reduce(0, (a, b) -> a == VARIABLE || b == VARIABLE ? VARIABLE : Math.addExact(a, b));
  }

  /** Reads the components and makes a tuple of them. */
  abstract T read(TupleInput input);

  @Override
  public final byte[] encode(T value) {
    Objects.requireNonNull(value, "value");
    TupleOutput output = new TupleOutput();
    int last = components.size() - 1;
    for (Component<T, ?> component : components.subList(0, last)) {
      put(output, component, value);
    }
    return putLast(output, components.get(last), value).toBytes();
  }

  private static <T, A> void put(TupleOutput output, Component<T, A> component, T value) {
    output.put(component.codec(), component.of(value));
  }

  private static <T, A> TupleOutput putLast(
      TupleOutput output, Component<T, A> component, T value) {
    return output.putLast(component.codec(), component.of(value));
  }

  @Override
  public final T decode(byte[] bytes) {
    TupleInput input = new TupleInput(Objects.requireNonNull(bytes, "bytes"));
    T tuple;
    try {
      tuple = read(input);
    } catch (CodecException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new CodecException("no tuple can be made of the components: " + e, e);
    }
    if (tuple == null) {
      throw new CodecException("the maker of tuples returned null");
    }
    return tuple;
  }

  @Override
  public final int fixedBytes() {
    return fixedBytes;
  }

  @Override
  public final String toString() {
    return components.stream()
        .map(component -> component.codec().toString())
        .collect(Collectors.joining(", ", "(", ")"));
  }
}
