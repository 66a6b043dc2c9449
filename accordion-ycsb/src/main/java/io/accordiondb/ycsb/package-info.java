// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * YCSB's binding to the embedded database. YCSB creates a client for each of its threads; the
 * clients of a folder share one open database. The binding uses the public API only. Start with
 * {@link io.accordiondb.ycsb.AccordionClient}.
 */
@NullMarked
package io.accordiondb.ycsb;

import org.jspecify.annotations.NullMarked;
