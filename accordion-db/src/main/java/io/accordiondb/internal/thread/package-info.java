// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** How threads are made. The package knows no other one. */
@NullMarked
package io.accordiondb.internal.thread;

import org.jspecify.annotations.NullMarked;
