// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Merge operators as a database knows them: by name, and as its families refer to them.
 *
 * <p>Start with {@link io.accordiondb.internal.merge.MergeRegistry}. In a family with an operator,
 * sequence numbers alone order the writes, so nothing that is written later comes between two
 * operands. Compactions combine operands between which no cell is unseen; a combined cell keeps the
 * lowest sequence number of its sources as needed in the log. Where an operator fails, cells stay
 * as they are.
 *
 * <p>This package does not know where operands are, nor which of them may be combined.
 */
@NullMarked
package io.accordiondb.internal.merge;

import org.jspecify.annotations.NullMarked;
