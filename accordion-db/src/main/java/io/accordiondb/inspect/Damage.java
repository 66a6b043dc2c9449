// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/**
 * A place at which a file is damaged. Immutable.
 *
 * @param file its path
 * @param offset in bytes; {@link #NOWHERE} for the whole file, for example if it is missing
 * @param message what was expected and what was found, with file and offset
 */
public record Damage(String file, long offset, String message) {
  /** The offset of damage without a certain place. */
  public static final long NOWHERE = -1;
}
