// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** What is remembered of failures after which nothing may be written. */
@NullMarked
package io.accordiondb.internal.failure;

import org.jspecify.annotations.NullMarked;
