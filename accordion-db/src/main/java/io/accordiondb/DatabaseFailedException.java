// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.io.IOException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/**
 * The database no longer accepts writes, because the log or the manifest could not be written and
 * it is unknown what the device holds of them. Reads still work, except of a family with a merge
 * operator whose memory has been replaced by a file only in part. Close the database and open it
 * again, unless this is a {@link WritesSuspendedException}, which is temporary.
 */
public class DatabaseFailedException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception that names the first failure.
   *
   * @param first the first failure
   */
  public DatabaseFailedException(@Nullable Throwable first) {
    this(
        "the database takes no more writes since this failure: "
            + words(first)
            + "; remove its cause, then close the database and open it again",
        first);
  }

  /** Creates an exception of the temporary kind. */
  DatabaseFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Returns the message of a failure; with the type if the message does not say what failed. */
  static String words(@Nullable Throwable failure) {
    boolean isClear =
        failure instanceof FileSystemException files
            ? files.getReason() != null
            : failure instanceof IOException;
    String message = isClear && failure != null ? failure.getMessage() : null;
    return message == null ? String.valueOf(failure) : message;
  }
}
