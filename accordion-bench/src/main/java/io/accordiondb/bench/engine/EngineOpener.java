// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;

/** Opens one engine. */
@FunctionalInterface
interface EngineOpener {
  /** Opens the engine. A {@link LinkageError} means that its library is missing. */
  Engine open() throws IOException;
}
