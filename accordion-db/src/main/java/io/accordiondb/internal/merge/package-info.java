// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Merge operators as a database knows them: by name, and as its families ask for them.
 *
 * <p>Start with {@link io.accordiondb.internal.merge.MergeRegistry}. This package does not know
 * where operands lie, nor which of them may be combined.
 */
@NullMarked
package io.accordiondb.internal.merge;

import org.jspecify.annotations.NullMarked;
