// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.bench.demo;

import io.accordiondb.bench.Distribution;
import java.nio.file.Path;

/**
 * The demonstration's workload; by default the paper's for one of its stores.
 *
 * @param directory where the stores are put; they are removed at the end
 * @param distribution how rows are drawn
 * @param records different rows
 * @param operations rows written under each policy
 * @param fields columns of a row
 * @param fieldBytes length of a value
 * @param batchBytes bytes of values in one batch
 * @param memoryBytes memory of the store
 */
public record DemoOptions(
    Path directory,
    Distribution distribution,
    int records,
    long operations,
    int fields,
    int fieldBytes,
    int batchBytes,
    long memoryBytes) {}
