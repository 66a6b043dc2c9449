// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.io.IOException;

/**
 * A store was closed, or dropped with its table or family, between being looked up and being used.
 * The caller looks again, and finds out which.
 */
public final class StoreClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public StoreClosedException() {
    super("the store was closed or dropped meanwhile");
  }
}
