// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.KeyProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** The service by which {@link Inspector#open} finds the implementation. Not for applications. */
public interface InspectorProvider {
  /**
   * Opens the folder of a database.
   *
   * @param folder the folder of the database
   * @param keys the provider of the keys; null for none
   * @return the inspector
   * @throws IOException if the storage fails
   */
  Inspector open(Path folder, @Nullable KeyProvider keys) throws IOException;

  /**
   * {@return the number of the process in which the database of a folder is open; empty if none}
   *
   * @param folder the folder of the database
   * @throws IOException if the storage fails
   */
  OptionalLong owner(Path folder) throws IOException;

  /** {@return the implementation} */
  static InspectorProvider find() {
    return ServiceLoader.load(InspectorProvider.class, Inspector.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("accordion-db is not whole: no inspector"));
  }
}
