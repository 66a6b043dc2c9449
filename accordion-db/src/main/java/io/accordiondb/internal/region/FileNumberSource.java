// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.io.IOException;

/** Allocates file numbers, each of them once. */
@FunctionalInterface
public interface FileNumberSource {
  /** Returns a number. */
  long next() throws IOException;
}
