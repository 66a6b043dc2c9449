// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * A real HBase in one process, to try the plug-in with, and HBase as engines of the benchmarks.
 * Apart from the plug-in, so that a region server needs none of it.
 */
@NullMarked
package io.accordiondb.hbase.tools;

import org.jspecify.annotations.NullMarked;
