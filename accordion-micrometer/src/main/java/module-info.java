// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** The statistics of an embedded Accordion database as meters of Micrometer. */
@SuppressWarnings("requires-transitive-automatic")
module io.accordiondb.micrometer {
  requires transitive io.accordiondb;
  requires transitive micrometer.core;
  requires org.slf4j;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports io.accordiondb.micrometer;
}
