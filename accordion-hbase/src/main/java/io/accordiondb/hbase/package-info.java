// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Accordion's memory store for the region servers of Apache HBase.
 *
 * <p>Start with {@link io.accordiondb.hbase.AccordionMemStore}, the class that an operator names in
 * HBase's configuration.
 */
@NullMarked
package io.accordiondb.hbase;

import org.jspecify.annotations.NullMarked;
