// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * An application of Kafka Streams to copy: {@link io.accordiondb.examples.streams.WordCount}. Two
 * properties of its configuration keep its state in Accordion; the rest is as with any other store.
 */
@NullMarked
package io.accordiondb.examples.streams;

import org.jspecify.annotations.NullMarked;
