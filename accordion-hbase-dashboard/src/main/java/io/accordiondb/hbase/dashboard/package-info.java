// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The dashboard's page for a region server of Apache HBase.
 *
 * <p>Start with {@link io.accordiondb.hbase.dashboard.RegionServerDashboard}, the coprocessor that
 * an operator names in HBase's configuration. It changes nothing in the server.
 */
@NullMarked
package io.accordiondb.hbase.dashboard;

import org.jspecify.annotations.NullMarked;
