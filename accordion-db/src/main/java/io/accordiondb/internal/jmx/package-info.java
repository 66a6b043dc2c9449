// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The statistics of open databases as JMX beans. A bean reads its figures from the statistics of
 * the database on each request, on the thread of the request; it holds no part of the engine.
 * {@code internal.engine} registers the beans.
 */
@NullMarked
package io.accordiondb.internal.jmx;

import org.jspecify.annotations.NullMarked;
