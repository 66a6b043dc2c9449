// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The stores that can be measured, behind one interface, and their options. */
@NullMarked
package io.accordiondb.bench.engine;

import org.jspecify.annotations.NullMarked;
