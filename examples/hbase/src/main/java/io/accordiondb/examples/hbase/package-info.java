// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** An example of a table of Apache HBase with Accordion's memory store. */
@NullMarked
package io.accordiondb.examples.hbase;

import org.jspecify.annotations.NullMarked;
