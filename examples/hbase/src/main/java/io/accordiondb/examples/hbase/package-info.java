// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * An example of a table of Apache HBase with Accordion's memory store: {@link
 * io.accordiondb.examples.hbase.SwitchedTable}. It uses HBase's client alone, because the plug-in
 * is on the region servers and clients need nothing of it.
 */
@NullMarked
package io.accordiondb.examples.hbase;

import org.jspecify.annotations.NullMarked;
