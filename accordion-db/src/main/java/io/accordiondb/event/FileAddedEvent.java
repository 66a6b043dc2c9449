// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * A new sorted table.
 *
 * @param name its name, relative to the folder of the database
 * @param table name of the table
 * @param family name of the family
 * @param region identity of the region
 * @param level its level
 * @param bytes its length
 */
public record FileAddedEvent(
    String name, String table, String family, long region, int level, long bytes) {}
