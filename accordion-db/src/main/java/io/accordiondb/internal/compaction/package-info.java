// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Merging the sorted tables of a store: which ones, and how.
 *
 * <p>{@link io.accordiondb.internal.compaction.CompactionPicker} decides and does nothing; {@link
 * io.accordiondb.internal.compaction.Compactor} does and decides nothing.
 */
@NullMarked
package io.accordiondb.internal.compaction;

import org.jspecify.annotations.NullMarked;
