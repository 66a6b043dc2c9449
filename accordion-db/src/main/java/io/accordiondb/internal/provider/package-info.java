// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The service that {@link io.accordiondb.Database} finds by {@link java.util.ServiceLoader}. It
 * opens databases in folders of the file system and in memory, with {@code internal.engine}. The
 * public API refers to the engine only in this way.
 */
@NullMarked
package io.accordiondb.internal.provider;

import org.jspecify.annotations.NullMarked;
