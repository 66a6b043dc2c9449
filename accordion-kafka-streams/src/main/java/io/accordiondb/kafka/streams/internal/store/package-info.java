// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The stores that Kafka Streams uses. They store bytes, without caching, changelog or metering,
 * which Kafka's store builders put around them. Keys and values are encoded as in Kafka's own
 * stores, so each can read the changelogs of the other.
 *
 * <p>This package knows nothing of files. Start with {@link
 * io.accordiondb.kafka.streams.internal.store.KeyValueBytes}.
 */
@NullMarked
package io.accordiondb.kafka.streams.internal.store;

import org.jspecify.annotations.NullMarked;
