// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import static net.bytebuddy.matcher.ElementMatchers.named;

import io.accordiondb.durability.PlantedDefect.Change;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.implementation.StubMethod;
import net.bytebuddy.matcher.ElementMatchers;
import org.jspecify.annotations.Nullable;

/** A defect to plant: some classes of the database, each with a method that does something else. */
final class Defect {
  private static final String OURS = "io.accordiondb.";

  private final Map<String, Change> changes = new HashMap<>();

  /** Lets a method do nothing, and return nothing. */
  Defect stub(String type, String method) {
    return change(type, method, StubMethod.INSTANCE);
  }

  /** Lets a method always return the same value, which is not null: {@link #stub} has that. */
  Defect fix(String type, String method, Object value) {
    return change(type, method, FixedValue.value(Objects.requireNonNull(value)));
  }

  private Defect change(String type, String method, Implementation instead) {
    return change(
        type, builder -> declaring(builder, method).method(named(method)).intercept(instead));
  }

  /** Adds something to the constructor of a class. */
  Defect advise(String type, Class<?> advice) {
    return change(
        type, builder -> builder.visit(Advice.to(advice).on(ElementMatchers.isConstructor())));
  }

  /** Adds something to a method. */
  Defect advise(String type, String method, Class<?> advice) {
    return change(
        type, builder -> declaring(builder, method).visit(Advice.to(advice).on(named(method))));
  }

  /** Checks that a class has a method: a change of one that has another name now is none. */
  private static DynamicType.Builder<?> declaring(DynamicType.Builder<?> builder, String method) {
    TypeDescription type = builder.toTypeDescription();
    if (type.getDeclaredMethods().filter(named(method)).isEmpty()) {
      throw new IllegalArgumentException(type.getName() + " has no method " + method);
    }
    return builder;
  }

  private Defect change(String type, Change change) {
    changes.merge(
        OURS + type, change, (first, next) -> builder -> next.apply(first.apply(builder)));
    return this;
  }

  /** Calls a method of {@link Hunt}, which takes a seed or nothing, with this defect. */
  void hunt(String method, Object... seed) throws Throwable {
    Class<?>[] types = new Class<?>[seed.length];
    Arrays.fill(types, long.class);
    Method hunt = Hunt.class.getDeclaredMethod(method, types);
    try (PlantedDefect planted = new PlantedDefect(changes)) {
      hunt.invoke(null, seed);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /**
   * Runs a test with this defect; returns how it has failed, or null.
   *
   * @param test a class and a method of it, as {@code cell.CellTest#works}
   */
  @Nullable Throwable failureOf(String test) throws ClassNotFoundException {
    int separator = test.indexOf('#');
    Class<?> type = Class.forName(OURS + test.substring(0, separator));
    try (PlantedDefect planted = new PlantedDefect(changes)) {
      return MethodRun.failureOf(type, test.substring(separator + 1));
    }
  }
}
