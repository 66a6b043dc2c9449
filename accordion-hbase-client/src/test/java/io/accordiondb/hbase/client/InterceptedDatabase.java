// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client;

import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import io.accordiondb.Table;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** Passes calls on to a database, its tables and its stores, after something else has been done. */
public final class InterceptedDatabase {
  private InterceptedDatabase() {}

  /** What is done before each call; it may wait, or throw. */
  public interface Interceptor {
    void before(Class<?> type, String method) throws Exception;
  }

  /** Returns a database whose calls are intercepted. */
  public static Database of(Database real, Interceptor interceptor) {
    return wrap(Database.class, real, interceptor);
  }

  private static <T> T wrap(Class<T> type, T real, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              interceptor.before(type, method.getName());
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (result instanceof Table table) {
                return wrap(Table.class, table, interceptor);
              }
              return result instanceof KeyValueStore store
                  ? wrap(KeyValueStore.class, store, interceptor)
                  : result;
            }));
  }
}
