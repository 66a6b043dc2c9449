// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The stores that can be measured, behind the interface {@code Engine}, and their options. All
 * engines get the same rows and the same durability. An engine is thread-safe; its sessions belong
 * to one thread each. The runners of {@code bench} and {@code bench.paper} open engines through
 * {@code Engines}.
 */
@NullMarked
package io.accordiondb.bench.engine;

import org.jspecify.annotations.NullMarked;
