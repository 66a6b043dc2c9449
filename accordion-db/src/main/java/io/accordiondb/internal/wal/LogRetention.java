// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import java.time.Duration;

/**
 * How long log files are kept after the database itself no longer needs them. Immutable.
 *
 * @param duration the time since they were last needed; zero to keep none
 * @param bytesMax maximum bytes of all kept files together
 */
public record LogRetention(Duration duration, long bytesMax) {}
