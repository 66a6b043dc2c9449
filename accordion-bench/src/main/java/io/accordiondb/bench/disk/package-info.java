// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A simulated slow disk, so that one machine can measure the effect of another disk. This is the
 * only package of the tools that knows the implementation of the database, because a disk is a
 * storage and only the engine accepts a storage. Start with {@link
 * io.accordiondb.bench.disk.SimulatedDisk}.
 */
@NullMarked
package io.accordiondb.bench.disk;

import org.jspecify.annotations.NullMarked;
