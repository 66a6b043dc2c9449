// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Compaction filters as a database knows them: by name, and as its families ask for them.
 *
 * <p>Start with {@link io.accordiondb.internal.expiry.FilterRegistry}. This package does not know
 * where cells lie, nor what becomes of those that have expired.
 */
@NullMarked
package io.accordiondb.internal.expiry;

import org.jspecify.annotations.NullMarked;
