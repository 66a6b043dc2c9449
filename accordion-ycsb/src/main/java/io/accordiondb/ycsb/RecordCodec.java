// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.ycsb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Encodes the fields of a record as one value, in the format of YCSB's own binding to RocksDB: for
 * each field the length of its name (int), the name, the length of its value (int), the value.
 */
final class RecordCodec {
  private RecordCodec() {}

  static byte[] encode(Map<String, byte[]> fields) {
    Map<byte[], byte[]> encoded = new HashMap<>();
    int length = 0;
    for (Map.Entry<String, byte[]> field : fields.entrySet()) {
      byte[] name = field.getKey().getBytes(StandardCharsets.UTF_8);
      encoded.put(name, field.getValue());
      length += 2 * Integer.BYTES + name.length + field.getValue().length;
    }
    ByteBuffer buffer = ByteBuffer.allocate(length);
    encoded.forEach(
        (name, value) -> buffer.putInt(name.length).put(name).putInt(value.length).put(value));
    return buffer.array();
  }

  static Map<String, byte[]> decode(byte[] record) {
    Map<String, byte[]> fields = new HashMap<>();
    ByteBuffer buffer = ByteBuffer.wrap(record);
    while (buffer.hasRemaining()) {
      String name = new String(next(buffer), StandardCharsets.UTF_8);
      fields.put(name, next(buffer));
    }
    return fields;
  }

  private static byte[] next(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.getInt()];
    buffer.get(bytes);
    return bytes;
  }
}
