// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * YCSB's client on the other engines. Start with {@link io.accordiondb.bench.ycsb.EngineClient};
 * the embedded database has a binding of its own, {@code io.accordiondb.ycsb}.
 */
@NullMarked
package io.accordiondb.bench.ycsb;

import org.jspecify.annotations.NullMarked;
