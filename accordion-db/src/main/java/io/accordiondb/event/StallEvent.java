// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

import io.accordiondb.statistics.StallCause;

/**
 * A period in which writes were slowed down or stopped.
 *
 * @param cause the cause at its beginning
 * @param reason the cause in words, with figures
 * @param nanos in how much of it at least one write waited, in nanoseconds; 0 at the beginning
 */
public record StallEvent(StallCause cause, String reason, long nanos) {}
