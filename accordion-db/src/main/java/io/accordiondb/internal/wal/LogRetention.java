// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import java.time.Duration;

/**
 * For how long log files are kept that the database itself does not need. Immutable.
 *
 * @param duration since they were needed last; zero to keep none
 * @param bytesMax of all of them
 */
public record LogRetention(Duration duration, long bytesMax) {}
