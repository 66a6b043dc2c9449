// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Accordion's memory store for the region servers of Apache HBase. HBase calls it in place of its
 * own memory store: writers add cells, scanners read them, and flushes take snapshots. HBase's log
 * provides durability, and HBase's locks order the calls. The package adapts types and sizes; the
 * algorithm is in {@code accordion-memstore}.
 *
 * <p>Start with {@link io.accordiondb.hbase.AccordionMemStore}, the class that an operator names in
 * HBase's configuration.
 */
@NullMarked
package io.accordiondb.hbase;

import org.jspecify.annotations.NullMarked;
