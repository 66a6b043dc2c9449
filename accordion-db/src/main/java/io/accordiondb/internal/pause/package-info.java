// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** How a thread waits between two looks at a condition. The package knows no other one. */
@NullMarked
package io.accordiondb.internal.pause;

import org.jspecify.annotations.NullMarked;
