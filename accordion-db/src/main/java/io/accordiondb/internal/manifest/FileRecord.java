// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

/**
 * A sorted table of a store. Immutable. The table's own properties say more.
 *
 * @param fileNumber names the file
 * @param regionId region of the store
 * @param familyId family of the store
 * @param bytes length of the file
 * @param minSequence lowest sequence number in it
 * @param maxSequence highest sequence number in it
 */
public record FileRecord(
    long fileNumber, long regionId, int familyId, long bytes, long minSequence, long maxSequence) {}
