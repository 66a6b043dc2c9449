// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.time.Instant;

/**
 * The moment that a copy of a database holds.
 *
 * @param sequence the last sequence number before that moment; {@code changes(sequence + 1)} of the
 *     original database delivers what is not in the copy
 * @param time the time of the database's clock
 */
public record Checkpoint(long sequence, Instant time) {}
