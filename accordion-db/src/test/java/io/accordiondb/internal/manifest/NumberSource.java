// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.io.IOException;

/** Gives numbers that were never given before. */
public interface NumberSource {
  /** Returns the next number. */
  long next() throws IOException;
}
