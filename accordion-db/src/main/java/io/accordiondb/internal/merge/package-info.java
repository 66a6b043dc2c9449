// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Merge operators as a database knows them: by name, and as its families refer to them.
 *
 * <p>Start with {@link io.accordiondb.internal.merge.MergeRegistry}. In a family with an operator,
 * sequence numbers alone order the writes, so no later write comes between two operands. A
 * compaction combines operands if it reads every cell between them. The log keeps the operands from
 * the lowest sequence number of a combined cell on, until the cell is flushed. If an operator
 * fails, the cells stay unchanged.
 *
 * <p>This package does not know where operands are, nor which of them may be combined.
 */
@NullMarked
package io.accordiondb.internal.merge;

import org.jspecify.annotations.NullMarked;
