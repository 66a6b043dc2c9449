// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * HBase's connection for the tests of an application, to an empty database in memory, in place of a
 * mini cluster. {@link io.accordiondb.hbase.junit.EmbeddedHBaseExtension} is for JUnit 5, {@link
 * io.accordiondb.hbase.junit.EmbeddedHBaseRule} for JUnit 4, {@link
 * io.accordiondb.hbase.junit.EmbeddedHBase} for everything else.
 */
@NullMarked
package io.accordiondb.hbase.junit;

import org.jspecify.annotations.NullMarked;
