// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/** State stores of Kafka Streams in one embedded database a process. */
@SuppressWarnings("requires-automatic")
module io.accordiondb.kafka.streams {
  requires io.accordiondb;
  requires transitive kafka.clients;
  requires transitive kafka.streams;
  requires org.slf4j;
  requires static rocksdbjni;
  requires static com.google.errorprone.annotations;
  requires static transitive org.jspecify;

  exports io.accordiondb.kafka.streams;
}
