// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The public methods of some objects by name and parameters. Of equal methods the first object has
 * precedence. Immutable.
 */
final class OperationTable {
  private record Signature(String name, List<Class<?>> parameters) {}

  private final Map<Signature, Operation> operations = new HashMap<>();

  OperationTable(List<Object> targets) {
    for (Object target : targets) {
      for (Method method : target.getClass().getDeclaredMethods()) {
        if (Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())) {
          operations.putIfAbsent(
              new Signature(method.getName(), List.of(method.getParameterTypes())),
              new Operation(target, method));
        }
      }
    }
  }

  /** A method of an object. */
  record Operation(Object target, Method method) {
    /** Calls the method; throws what it throws. */
    @Nullable Object call(@Nullable Object[] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }

  /** Returns the method with a name and parameters; null if there is none. */
  @Nullable Operation find(String name, Class<?>[] parameters) {
    return operations.get(new Signature(name, Arrays.asList(parameters)));
  }
}
