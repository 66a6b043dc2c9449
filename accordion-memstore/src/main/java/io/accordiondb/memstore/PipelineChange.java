// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore;

/**
 * Describes a merge or a compaction that has taken effect.
 *
 * @param segments number of segments that were replaced by one segment, or by none
 * @param cellsRead cells in them
 * @param cellsKept cells left; all of them after a merge
 * @param bytesRead bytes of the cells in them
 * @param bytesKept bytes of the cells left
 * @param nanos duration in nanoseconds
 * @param pipelineSegments sealed segments in the pipeline afterwards
 * @param uniqueness u: the share of different columns among the cells read
 * @param throttle ADAPTIVE's t
 */
public record PipelineChange(
    int segments,
    long cellsRead,
    long cellsKept,
    long bytesRead,
    long bytesKept,
    long nanos,
    int pipelineSegments,
    double uniqueness,
    double throttle) {}
