// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

/**
 * Part of a key space.
 *
 * @param from the first key, inclusive, as stored in the database
 * @param to the end of the range, exclusive, as stored in the database
 */
public record KeyRange(KeySpace space, byte[] from, byte[] to) {}
