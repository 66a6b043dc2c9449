// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The merge operators that every database provides: {@link io.accordiondb.merge.MergeOperators}.
 * They are immutable and thread-safe.
 *
 * <p>This package uses the public API alone, as an operator of your own would.
 */
@NullMarked
package io.accordiondb.merge;

import org.jspecify.annotations.NullMarked;
