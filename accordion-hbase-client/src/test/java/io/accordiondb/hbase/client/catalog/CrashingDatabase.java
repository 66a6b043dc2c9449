// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.Database;
import io.accordiondb.KeyValueStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * Passes calls on to a database until a number of changes has been made; from then on it throws at
 * each change, as if the process had died.
 */
final class CrashingDatabase {
  private static final Set<String> CHANGES =
      Set.of(
          "createTable", "alterTable", "dropTable", "truncateTable", "copyTable", "mergeRegions");

  private final Database real;
  private int left;

  private CrashingDatabase(Database real, int changes) {
    this.real = real;
    this.left = changes;
  }

  /** The process has died. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Returns a database that makes a number of changes and then dies. */
  static Database after(int changes, Database real) {
    CrashingDatabase crashing = new CrashingDatabase(real, changes);
    return proxy(
        Database.class,
        (proxy, method, arguments) -> {
          if (CHANGES.contains(method.getName())) {
            crashing.change();
          }
          Object result = call(() -> method.invoke(crashing.real, arguments));
          return result instanceof KeyValueStore store ? crashing.wrap(store) : result;
        });
  }

  private KeyValueStore wrap(KeyValueStore store) {
    return proxy(
        KeyValueStore.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("put") || method.getName().equals("delete")) {
            change();
          }
          return call(() -> method.invoke(store, arguments));
        });
  }

  private void change() {
    if (left == 0) {
      throw new Crash();
    }
    left--;
  }

  private interface Call {
    Object run() throws ReflectiveOperationException;
  }

  private static Object call(Call call) throws Throwable {
    try {
      return call.run();
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            CrashingDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
