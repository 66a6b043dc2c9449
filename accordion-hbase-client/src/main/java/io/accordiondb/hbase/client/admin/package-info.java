// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * HBase's interfaces for administration and for locating regions, over the catalog of a database.
 * Start with {@link io.accordiondb.hbase.client.admin.Administration}.
 *
 * <p>Classes named {@code ...Operations} have methods with the names and parameters of HBase's
 * {@code Admin}. Proxies of {@code Admin} and {@code AsyncAdmin} call them, so that the interfaces
 * may have other methods in other versions of HBase.
 */
@NullMarked
package io.accordiondb.hbase.client.admin;

import org.jspecify.annotations.NullMarked;
