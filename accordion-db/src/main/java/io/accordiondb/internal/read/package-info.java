// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reading: the cells of a store's memory and files as one sorted sequence, and what of it a reader
 * sees.
 *
 * <p>Start with {@link io.accordiondb.internal.read.RegionReader}. This package knows sources of
 * cells and the rules of a family; it does not know where regions come from, nor how anything is
 * written.
 */
@NullMarked
package io.accordiondb.internal.read;

import org.jspecify.annotations.NullMarked;
