// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * HBase's client interfaces over a database in a folder of this process. A program that is written
 * against HBase's {@code Connection}, {@code Table} and {@code Admin} runs on one machine without a
 * cluster, and moves to a cluster when its configuration names another connection.
 */
@NullMarked
package io.accordiondb.hbase.client;

import org.jspecify.annotations.NullMarked;
