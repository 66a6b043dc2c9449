// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * Damage in a file.
 *
 * @param file name of the file
 * @param offset offset of the damage in bytes
 * @param message file, offset, what was expected and what was found
 * @param cause the exception that the reader received
 */
public record CorruptionEvent(String file, long offset, String message, Throwable cause) {}
