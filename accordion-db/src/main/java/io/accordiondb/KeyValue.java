// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/** A key and its value. The arrays are not copied. */
@SuppressWarnings("ArrayRecordComponent") // A carrier of two arrays; it is not compared.
public record KeyValue(byte[] key, byte[] value) {}
