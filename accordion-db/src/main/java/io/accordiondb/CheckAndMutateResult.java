// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

/**
 * The outcome of a {@link CheckAndMutate}.
 *
 * @param succeeded whether the conditions held, and so the row was changed
 * @param result the cells that increments and appends have written; empty if there were none
 */
public record CheckAndMutateResult(boolean succeeded, Result result) {}
