// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** Backups of an embedded Accordion database, in many generations. */
module io.accordiondb.backup {
  requires transitive io.accordiondb;
  requires org.slf4j;
  requires static transitive org.jspecify;

  exports io.accordiondb.backup;
}
