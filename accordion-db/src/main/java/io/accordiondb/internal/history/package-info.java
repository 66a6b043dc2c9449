// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the log says of tables and of the time, and how a copy of the database follows the log to a
 * later moment. {@link io.accordiondb.internal.history.HistoryNotes} writes it while the database
 * is open, {@link io.accordiondb.internal.history.CopyEnd} and {@link
 * io.accordiondb.internal.history.LogApplication} read it.
 */
@NullMarked
package io.accordiondb.internal.history;

import org.jspecify.annotations.NullMarked;
