// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Compaction filters as a database knows them: by name, and as its families refer to them.
 *
 * <p>Start with {@link io.accordiondb.internal.expiry.FilterRegistry}. If a filter may expire any
 * put, readers and compactions take no shortcut that assumes that a newer version hides an older
 * one. This package does not know where cells are, nor what happens to expired ones.
 */
@NullMarked
package io.accordiondb.internal.expiry;

import org.jspecify.annotations.NullMarked;
