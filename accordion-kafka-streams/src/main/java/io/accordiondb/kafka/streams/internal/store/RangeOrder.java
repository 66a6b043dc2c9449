// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.store;

import org.slf4j.Logger;

/** Warns about a range that begins after its end, in the same words as Kafka's own stores. */
final class RangeOrder {
  private RangeOrder() {}

  static void warn(Logger log) {
    log.warn(
        "Returning empty iterator for fetch with invalid key range: from > to. This may be due to range"
            + " arguments set in the wrong order, or serdes that don't preserve ordering when"
            + " lexicographically comparing the serialized bytes. Note that the built-in numerical serdes"
            + " do not follow this for negative numbers");
  }
}
