// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the log says about tables and time, and how a copy of a database follows the log to a later
 * moment.
 *
 * <p>While the log is kept, {@link io.accordiondb.internal.history.HistoryNotes} writes notes into
 * it: the time each second, and all tables whenever one has changed, before any batch of the new
 * tables. A checkpoint ends with such a note, which the log of the original has too; the copy of a
 * reader may have batches behind its last note. {@link io.accordiondb.internal.history.CopyEnd}
 * finds both at the end of the copy. Before the copy is opened, the later log is read up to the
 * wanted moment, and refused if it does not hold everything needed. {@link
 * io.accordiondb.internal.history.LogApplication} then writes each batch again.
 */
@NullMarked
package io.accordiondb.internal.history;

import org.jspecify.annotations.NullMarked;
