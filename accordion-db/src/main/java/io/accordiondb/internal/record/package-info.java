// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Files of records, as log and manifest are: a header, then records that carry their length, their
 * checksums and their sequence numbers. This package does not know what a record holds. Start with
 * {@link io.accordiondb.internal.record.RecordLayout}.
 */
@NullMarked
package io.accordiondb.internal.record;

import org.jspecify.annotations.NullMarked;
