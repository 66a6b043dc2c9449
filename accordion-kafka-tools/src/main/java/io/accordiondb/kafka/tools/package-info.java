// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A broker of Kafka's in a process of its own, and measurements of Kafka Streams on it: {@link
 * io.accordiondb.kafka.tools.StreamsBench}. It uses what applications use, and Kafka's broker.
 */
@NullMarked
package io.accordiondb.kafka.tools;

import org.jspecify.annotations.NullMarked;
