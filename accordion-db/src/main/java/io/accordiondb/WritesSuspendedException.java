// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import org.jspecify.annotations.Nullable;

/**
 * The database takes no writes for now, because log or manifest could not be written, as on a full
 * disk; nothing acknowledged is lost. Reads go on. Writes go on by themselves once the cause has
 * passed, or at once after {@link Database#resume}.
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
 * <p>A write that was under way fails with this exception. It is there after the next opening or
 * not if the database is closed, or the process ends, before writes go on; once they do, it is not.
 */
public final class WritesSuspendedException extends DatabaseFailedException {
  private static final long serialVersionUID = 1L;

  /** Tells what could not be done. */
  public WritesSuspendedException(@Nullable Throwable cause) {
    super(
        "the database takes no writes since this failure: "
            + cause
            + "; mend its cause, such as a full disk, and writes go on by themselves",
        cause);
  }
}
