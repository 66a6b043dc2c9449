// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.event;

/**
 * A sorted table that was deleted.
 *
 * @param name its name, relative to the folder of the database
 */
public record FileDeletedEvent(String name) {}
