// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Threads of Kafka Streams that run what a test wants. Their parts have no public constructors. */
package org.apache.kafka.streams.processor.internals;
