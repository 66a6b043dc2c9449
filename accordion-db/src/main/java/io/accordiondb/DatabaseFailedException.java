// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The database takes no more writes, because log or manifest could not be written and nobody knows
 * what the device holds of them. Reads go on. Close the database and open it again, unless this is
 * a {@link WritesSuspendedException}, which passes.
 */
public class DatabaseFailedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Tells the failure that began it. */
  public DatabaseFailedException(@Nullable Throwable first) {
    this(
        "the database takes no more writes since this failure: "
            + first
            + "; mend its cause, then close the database and open it again",
        first);
  }

  /** For the kind that passes. */
  DatabaseFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
