// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of the exceptions that a database throws if it refuses an operation or cannot
 * perform it. Errors of the storage below it are other {@link IOException}s.
 */
public abstract class DatabaseException extends IOException {
  private static final long serialVersionUID = 1L;

  DatabaseException(String message) {
    super(message);
  }

  DatabaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
