// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** An embedded LSM key-value store over the Accordion memory store. */
module io.accordiondb {
  requires transitive io.accordiondb.memstore;
  requires com.github.luben.zstd_jni;
  requires org.lz4.java;
  requires java.management;
  requires jdk.jfr;
  requires jdk.management;
  requires jdk.unsupported;
  requires org.slf4j;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports io.accordiondb;
  exports io.accordiondb.event;
  exports io.accordiondb.filter;
  exports io.accordiondb.merge;
  exports io.accordiondb.statistics;
  exports io.accordiondb.typed;

  uses io.accordiondb.DatabaseProvider;

  provides io.accordiondb.DatabaseProvider with
      io.accordiondb.internal.provider.DatabaseEngineProvider;
}
