// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.engine;

import java.io.IOException;

/** Opens one engine. */
@FunctionalInterface
interface EngineOpener {
  /** Opens it; an error in linking says that its library is not there. */
  Engine open() throws IOException;
}
