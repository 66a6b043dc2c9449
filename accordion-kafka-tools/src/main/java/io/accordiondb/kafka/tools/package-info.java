// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Measures Kafka Streams with different state stores on a Kafka broker that runs in a process of
 * its own. Start with {@link io.accordiondb.kafka.tools.StreamsBench}. It uses the API that
 * applications use, and Kafka's broker.
 */
@NullMarked
package io.accordiondb.kafka.tools;

import org.jspecify.annotations.NullMarked;
