// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * An open database: what the public interfaces are, put together from the packages below.
 *
 * <p>Start with {@link io.accordiondb.internal.database.DatabaseEngine}, which opens and closes
 * everything. {@link io.accordiondb.internal.database.TableHandle} is the way of a call: writes go
 * through {@link io.accordiondb.internal.database.MutationEncoder} to the commit pipeline, reads
 * through {@link io.accordiondb.internal.database.TableReader}.
 */
@NullMarked
package io.accordiondb.internal.database;

import org.jspecify.annotations.NullMarked;
