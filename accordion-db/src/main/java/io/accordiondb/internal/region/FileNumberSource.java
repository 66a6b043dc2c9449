// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.io.IOException;

/** Gives numbers of files that were never given before. */
@FunctionalInterface
public interface FileNumberSource {
  /** Returns a number. */
  long next() throws IOException;
}
