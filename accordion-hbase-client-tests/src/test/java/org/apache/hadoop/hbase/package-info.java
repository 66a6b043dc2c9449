// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What HBase's tests use to start a cluster, over a database in one process. The classes that are
 * named as HBase's own are found before those.
 */
package org.apache.hadoop.hbase;
