// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A write waited too long for the disk to follow; nothing was written. */
public final class WriteStalledException extends DatabaseException {
  private static final long serialVersionUID = 1L;

  /** Tells what it waited for. */
  public WriteStalledException(String reason) {
    super("the write was stalled for too long: " + reason + "; write more slowly, or try again");
  }
}
