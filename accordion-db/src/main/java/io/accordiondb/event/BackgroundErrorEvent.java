// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * Work in the background that has failed.
 *
 * @param what what has failed, in words
 * @param cause why
 */
public record BackgroundErrorEvent(String what, Throwable cause) {}
