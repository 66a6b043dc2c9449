// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.admin;

import io.accordiondb.ClosedException;
import io.accordiondb.hbase.client.catalog.ClosedConnection;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableNotFoundException;
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
    /**
     * Returns whether the method returns what a method of an interface returns, or what its future
     * gives.
     */
    boolean returns(Method wanted) {
      Type type = wanted.getGenericReturnType();
      if (Future.class.isAssignableFrom(wanted.getReturnType())
          && !Future.class.isAssignableFrom(method.getReturnType())) {
        type = ((ParameterizedType) type).getActualTypeArguments()[0];
      }
      Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
      Class<?> returned = MethodType.methodType(method.getReturnType()).wrap().returnType();
      return raw instanceof Class<?> wantedClass
          && MethodType.methodType(wantedClass).wrap().returnType().isAssignableFrom(returned);
    }

    /**
     * Calls the method; throws what it throws, and HBase's exceptions if a table was dropped, or
     * the database closed.
     */
    @Nullable Object call(@Nullable Object[] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        if (e.getCause() instanceof io.accordiondb.TableNotFoundException gone) {
          throw new TableNotFoundException(gone.getMessage()).initCause(gone);
        } else if (e.getCause() instanceof ClosedException closed) {
          throw ClosedConnection.failure(closed);
        }
        throw e.getCause();
      }
    }
  }

  /** Returns the operation for a method of an interface; null if there is none. */
  @Nullable Operation find(Method wanted) {
    return find(wanted.getName(), wanted);
  }

  /**
   * Returns the operation for a method of an interface under another name; null if there is none.
   */
  @Nullable Operation find(String name, Method wanted) {
    Operation found =
        operations.get(new Signature(name, Arrays.asList(wanted.getParameterTypes())));
    return found != null && found.returns(wanted) ? found : null;
  }
}
