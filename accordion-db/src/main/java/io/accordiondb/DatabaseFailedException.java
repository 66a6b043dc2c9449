// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The database takes no more writes, because log or manifest could not be written and nobody knows
 * what the device holds of them. Reads go on.
 */
public final class DatabaseFailedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Tells the failure that began it. */
  public DatabaseFailedException(@Nullable Throwable first) {
    super(
        "the database takes no more writes since this failure: "
            + first
            + "; mend its cause, then close the database and open it again",
        first);
  }
}
