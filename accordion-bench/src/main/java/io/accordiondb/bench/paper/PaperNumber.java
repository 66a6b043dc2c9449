// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

/**
 * A figure of the paper. Immutable.
 *
 * @param value the figure; a share or ratio as a fraction
 * @param source where the paper states it, and how it is derived
 */
public record PaperNumber(double value, String source) {}
