// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The file format that log and manifest share: a header, then records with their length, their
 * checksums and their sequence numbers. Readers verify every byte, and a writer refuses to continue
 * after a failure. {@code internal.wal} and {@code internal.manifest} use it over {@code
 * internal.storage}. This package does not know what a record holds. Start with {@link
 * io.accordiondb.internal.record.RecordLayout}.
 */
@NullMarked
package io.accordiondb.internal.record;

import org.jspecify.annotations.NullMarked;
