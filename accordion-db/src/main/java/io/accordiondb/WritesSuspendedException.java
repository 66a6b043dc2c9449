// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The database does not accept writes at present, because the log or the manifest could not be
 * written, for example because the disk is full or because there is no memory for the buffer of a
 * new file. Nothing that was acknowledged is lost, and reads work. Writes resume by themselves when
 * the cause has passed, or at once with {@link Database#resume}.
 *
 * <pre>{@code
 * try {
 *   carts.put(key, value);
 * } catch (WritesSuspendedException e) {
 *   makeRoom();
 *   database.resume(); // Or wait; throws the same exception while there is no room.
 *   carts.put(key, value);
 * }
 * }</pre>
 *
 * <p>A write that was in progress fails with this exception. If the database is closed, or the
 * process ends, before writes resume, the write may or may not be there after the next opening.
 * Once writes have resumed, it is not there.
 */
public final class WritesSuspendedException extends DatabaseFailedException {
  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception with the failure as its cause.
   *
   * @param cause the failure of the log or the manifest
   */
  public WritesSuspendedException(@Nullable Throwable cause) {
    super(
        "the database has accepted no writes since this failure: "
            + words(cause)
            + "; remove its cause, such as a full disk, and writes continue by themselves",
        cause);
  }
}
