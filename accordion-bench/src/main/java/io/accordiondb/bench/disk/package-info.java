// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A slow disk that is simulated, so that one machine can measure what another disk would do. The
 * only package of the tools that knows the database's implementation: a disk is a storage, and a
 * storage is given to the engine alone. Start with {@link io.accordiondb.bench.disk.SimulatedDisk}.
 */
@NullMarked
package io.accordiondb.bench.disk;

import org.jspecify.annotations.NullMarked;
