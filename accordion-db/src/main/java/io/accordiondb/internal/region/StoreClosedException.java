// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import java.io.IOException;

/**
 * Thrown when a store was closed, or dropped with its table or family, after the caller looked it
 * up. The caller looks the table up again, which shows what has happened.
 */
public final class StoreClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public StoreClosedException() {
    super("the store was closed or dropped meanwhile");
  }
}
