// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * An open database, put together from the packages below, and recovered from what is on disk.
 *
 * <p>Start with {@link io.accordiondb.internal.engine.DatabaseEngine}; {@link
 * io.accordiondb.internal.engine.EngineBuilder} shows how the parts depend on each other.
 */
@NullMarked
package io.accordiondb.internal.engine;

import org.jspecify.annotations.NullMarked;
