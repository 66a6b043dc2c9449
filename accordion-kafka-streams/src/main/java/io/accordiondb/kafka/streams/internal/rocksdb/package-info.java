// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Reads what Kafka's RocksDB stores have left in the directory of a task, so that a store of this
 * module can begin with it.
 */
@NullMarked
package io.accordiondb.kafka.streams.internal.rocksdb;

import org.jspecify.annotations.NullMarked;
