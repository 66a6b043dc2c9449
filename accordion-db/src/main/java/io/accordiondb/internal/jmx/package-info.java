// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The statistics of open databases as JMX beans. Each bean reads its figures from the statistics
 * when it is asked; it holds nothing of the engine.
 */
@NullMarked
package io.accordiondb.internal.jmx;

import org.jspecify.annotations.NullMarked;
