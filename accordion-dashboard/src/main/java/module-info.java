// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** A page in the browser that shows Accordion databases at work. */
module io.accordiondb.dashboard {
  requires transitive io.accordiondb;
  requires com.fasterxml.jackson.core;
  requires java.management;
  requires jdk.httpserver;
  requires jdk.management;
  requires org.slf4j;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports io.accordiondb.dashboard;
}
