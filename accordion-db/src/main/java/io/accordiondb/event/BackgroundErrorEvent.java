// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * A failure of background work.
 *
 * @param what the work that failed, in words
 * @param cause the exception with which it failed
 */
public record BackgroundErrorEvent(String what, Throwable cause) {}
