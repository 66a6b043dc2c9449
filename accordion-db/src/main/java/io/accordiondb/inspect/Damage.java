// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A place at which a file does not hold what it must. Immutable.
 *
 * @param file its path
 * @param offset in bytes; {@link #NOWHERE} if the whole file is meant, as when it is missing
 * @param message what was expected and what was found, with file and offset
 */
public record Damage(String file, long offset, String message) {
  /** The offset of damage that is at no certain place. */
  public static final long NOWHERE = -1;
}
