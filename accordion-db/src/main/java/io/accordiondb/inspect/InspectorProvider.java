// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import io.accordiondb.KeyProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** What {@link Inspector#open} finds the implementation by. Not for applications. */
public interface InspectorProvider {
  /** Opens the folder of a database. */
  Inspector open(Path folder, @Nullable KeyProvider keys) throws IOException;

  /** Returns the implementation. */
  static InspectorProvider find() {
    return ServiceLoader.load(InspectorProvider.class, Inspector.class.getClassLoader())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("accordion-db is not whole: no inspector"));
  }
}
