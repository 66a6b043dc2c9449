// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Optimistic transactions: their snapshot, their writes, what they have read, and how they are
 * checked and committed.
 *
 * <p>Start with {@link io.accordiondb.internal.transaction.EngineTransaction}. Its tables are those
 * of {@link io.accordiondb.internal.table}, with reads and writes of its own. This package does not
 * know how a database is opened.
 */
@NullMarked
package io.accordiondb.internal.transaction;

import org.jspecify.annotations.NullMarked;
