// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The forms that segments can have, as a host chooses them for a store (section 3.4 of the paper):
 * whether cells are objects or bytes in chunks, on or off the heap, and whether the index is an
 * array of objects or serialised. Start with {@link io.accordiondb.memstore.layout.SegmentLayout}.
 */
@NullMarked
package io.accordiondb.memstore.layout;

import org.jspecify.annotations.NullMarked;
