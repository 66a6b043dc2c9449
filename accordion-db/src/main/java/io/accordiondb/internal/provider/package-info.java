// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What {@link io.accordiondb.Database} finds by {@link java.util.ServiceLoader}: databases in
 * folders of the file system, and in memory. The public API refers to the engine only in this way.
 */
@NullMarked
package io.accordiondb.internal.provider;

import org.jspecify.annotations.NullMarked;
