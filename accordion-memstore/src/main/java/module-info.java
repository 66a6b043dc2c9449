// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The memory store of the Accordion paper as a library: cells, chunks, segments and policies. */
module io.accordiondb.memstore {
  requires jdk.jfr;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports io.accordiondb.encoding;
  exports io.accordiondb.chunk;
  exports io.accordiondb.memstore;
  exports io.accordiondb.memstore.layout;
  exports io.accordiondb.retention;
}
