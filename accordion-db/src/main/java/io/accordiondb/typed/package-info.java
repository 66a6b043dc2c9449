// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Keys and values of any type over a {@link io.accordiondb.KeyValueStore}. Start with {@link
 * io.accordiondb.typed.TypedStore}; {@link io.accordiondb.typed.Codecs} has the codecs.
 *
 * <p>This package uses the public API alone and knows nothing of the engine.
 */
@NullMarked
package io.accordiondb.typed;

import org.jspecify.annotations.NullMarked;
