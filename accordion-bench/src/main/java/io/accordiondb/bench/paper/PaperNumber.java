// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.paper;

/**
 * A figure of the paper. Immutable.
 *
 * @param value the figure; a share or ratio as a fraction
 * @param source where the paper has it, and what it is made from
 */
public record PaperNumber(double value, String source) {}
