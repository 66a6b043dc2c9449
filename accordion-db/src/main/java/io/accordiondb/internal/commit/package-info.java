// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The way of a write: encoded by its thread, logged and numbered in groups, added to memory, made
 * visible in order.
 *
 * <p>Start with {@link io.accordiondb.internal.commit.CommitPipeline}.
 */
@NullMarked
package io.accordiondb.internal.commit;

import org.jspecify.annotations.NullMarked;
