// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.durability;

import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageReader;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Storages that ignore some calls. They stand for databases that forgot to make these calls. */
final class DefectiveStorage {
  /** What becomes of an operation. */
  interface Fate {
    /**
     * Does an operation, or something else.
     *
     * @param name of the file or directory
     */
    Object act(String operation, String name, Operation original) throws Throwable;
  }

  /** An operation of a storage, a writer or a reader. */
  interface Operation {
    Object run() throws Throwable;
  }

  private DefectiveStorage() {}

  /** Leaves out an operation on all names of a pattern. */
  static UnaryOperator<Storage> without(String operation, String names) {
    return with(
        (what, name, original) ->
            what.equals(operation) && name.matches(names) ? null : original.run());
  }

  /** Swallows the failure of an operation. */
  static UnaryOperator<Storage> deafTo(String operation) {
    return with(
        (what, name, original) -> {
          try {
            return original.run();
          } catch (IOException e) {
            if (what.equals(operation)) {
              return null;
            }
            throw e;
          }
        });
  }

  /** Lets each operation have its fate. */
  static UnaryOperator<Storage> with(Fate fate) {
    return storage -> proxy(Storage.class, storage, null, fate);
  }

  private static <T> T proxy(Class<T> type, T target, @Nullable String file, Fate fate) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean named = file == null && arguments != null && arguments[0] instanceof String;
              String name = file != null ? file : named ? (String) arguments[0] : "";
              Object result =
                  fate.act(
                      method.getName(),
                      name,
                      () -> {
                        try {
                          return method.invoke(target, arguments);
                        } catch (InvocationTargetException e) {
                          throw e.getCause();
                        }
                      });
              if (result instanceof StorageWriter writer) {
                return proxy(StorageWriter.class, writer, name, fate);
              }
              return result instanceof StorageReader reader
                  ? proxy(StorageReader.class, reader, name, fate)
                  : result;
            });
    return type.cast(proxy);
  }
}
