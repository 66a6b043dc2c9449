// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Tables, namespaces and snapshots as HBase's client knows them, over the tables of a database.
 * Start with {@link io.accordiondb.hbase.client.catalog.Catalog}. This package knows HBase's
 * descriptors and exceptions; it does not know its interfaces for data or for administration.
 */
@NullMarked
package io.accordiondb.hbase.client.catalog;

import org.jspecify.annotations.NullMarked;
