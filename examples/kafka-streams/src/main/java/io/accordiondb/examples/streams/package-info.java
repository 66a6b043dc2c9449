// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** An application to copy: {@link io.accordiondb.examples.streams.WordCount}. */
@NullMarked
package io.accordiondb.examples.streams;

import org.jspecify.annotations.NullMarked;
