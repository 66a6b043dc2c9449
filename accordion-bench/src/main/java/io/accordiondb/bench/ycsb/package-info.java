// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Connects YCSB's client, and its workloads without the client, to the engines of {@code
 * bench.engine}. Start with {@link io.accordiondb.bench.ycsb.EngineClient}; the embedded database
 * has a binding of its own, {@code io.accordiondb.ycsb}.
 */
@NullMarked
package io.accordiondb.bench.ycsb;

import org.jspecify.annotations.NullMarked;
