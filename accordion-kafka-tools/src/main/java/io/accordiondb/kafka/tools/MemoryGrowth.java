// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

/**
 * By how much a process has grown since its start.
 *
 * @param residentBytesMax its resident memory at its highest
 * @param residentBytes its resident memory after the last write
 * @param heapBytes what is live on the heap
 */
record MemoryGrowth(long residentBytesMax, long residentBytes, long heapBytes) {
  String toLine() {
    return residentBytesMax + " " + residentBytes + " " + heapBytes;
  }

  static MemoryGrowth parse(String line) {
    String[] fields = line.split(" ");
    return new MemoryGrowth(
        Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]));
  }
}
