// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

/**
 * The state of all databases at one moment, as the page reads it. The bytes must not be changed.
 *
 * @param atMillis the moment, in milliseconds since 1970
 * @param json one JSON object, in UTF-8, without line breaks
 */
public record Frame(long atMillis, byte[] json) {}
