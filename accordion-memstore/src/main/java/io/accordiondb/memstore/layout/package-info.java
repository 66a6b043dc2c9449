// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The forms that segments can have (section 3.4 of the paper). */
@NullMarked
package io.accordiondb.memstore.layout;

import org.jspecify.annotations.NullMarked;
