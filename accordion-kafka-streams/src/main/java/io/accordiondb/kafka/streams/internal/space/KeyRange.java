// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/**
 * Part of a key space.
 *
 * @param from the first key, as it stands in the database
 * @param to the first key behind it
 */
public record KeyRange(KeySpace space, byte[] from, byte[] to) {}
