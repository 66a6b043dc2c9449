// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.schedules;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.infra.TestInfo;
import org.openjdk.jcstress.infra.runners.TestList;

/** The tests of jcstress, which takes a minute for them: one actor after another. */
class StressTestsTest {
  static Collection<String> tests() {
    return TestList.tests();
  }

  private static List<Method> methods(Class<?> test, Class<? extends Annotation> kind) {
    return Arrays.stream(test.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(kind))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  private static Object create(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  /** Calls methods on a new state, and then the arbiter, and returns what they have left. */
  private static String outcome(Class<?> test, List<Method> actors)
      throws ReflectiveOperationException {
    Object state = create(test);
    Map<Class<?>, Object> results = new ConcurrentHashMap<>();
    List<Method> all = new ArrayList<>(actors);
    all.addAll(methods(test, Arbiter.class));
    for (Method method : all) {
      method.setAccessible(true);
      Object[] arguments = new Object[method.getParameterCount()];
      for (int i = 0; i < arguments.length; i++) {
        Class<?> type = method.getParameterTypes()[i];
        if (!results.containsKey(type)) {
          results.put(type, create(type));
        }
        arguments[i] = results.get(type);
      }
      method.invoke(state, arguments);
    }
    assertThat(results).hasSize(1);
    return results.values().iterator().next().toString();
  }

  @ParameterizedTest
  @MethodSource("tests")
  void outcomesOfOneAfterAnotherAreAcceptable(String name) throws Exception {
    TestInfo info = TestList.getInfo(name);
    Class<?> test = Class.forName(info.binaryName());
    List<Method> actors = methods(test, Actor.class);
    List<Method> backwards = new ArrayList<>(actors);
    backwards.sort(Comparator.comparing(Method::getName).reversed());
    for (List<Method> order : List.of(actors, backwards)) {
      String outcome = outcome(test, order);
      assertThat(info.cases())
          .as("%s in the order %s", outcome, order)
          .anyMatch(expected -> expected.matches(outcome));
    }
  }
}
