// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Runs HBase's own tests of its client against the embedded database, and counts what passes.
 * {@link io.accordiondb.hbase.client.tests.HBaseClientTestsTest} names the classes.
 */
package io.accordiondb.hbase.client.tests;
