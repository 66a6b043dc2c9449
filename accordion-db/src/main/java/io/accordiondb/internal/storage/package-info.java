// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The only way to files. Everything above names files by '/'-separated strings relative to the
 * database's folder, so that a simulated disk can take the place of the real one.
 */
@NullMarked
package io.accordiondb.internal.storage;

import org.jspecify.annotations.NullMarked;
