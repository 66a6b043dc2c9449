// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * YCSB's client on the embedded database. Start with {@link io.accordiondb.ycsb.AccordionClient}.
 */
@NullMarked
package io.accordiondb.ycsb;

import org.jspecify.annotations.NullMarked;
