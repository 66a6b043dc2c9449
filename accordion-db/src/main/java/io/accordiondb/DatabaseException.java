// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of exceptions by which a database refuses or fails an operation, apart from errors
 * of the storage below it.
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
