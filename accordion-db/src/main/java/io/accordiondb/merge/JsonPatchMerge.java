// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.merge;

import io.accordiondb.MergeOperator;
import io.accordiondb.merge.JsonText.Literal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applies JSON merge patches (RFC 7396). */
final class JsonPatchMerge implements MergeOperator {
  @Override
  public String name() {
    return "json-merge-patch";
  }

  @Override
  public byte[] apply(byte @Nullable [] value, List<byte[]> operands) {
    Object target = value == null ? Literal.NULL : JsonText.parse(value);
    for (byte[] operand : operands) {
      target = patched(target, JsonText.parse(operand));
    }
    return JsonText.format(target);
  }

  /** Implements the function MergePatch of section 2 of the RFC. */
  private static Object patched(@Nullable Object target, Object patch) {
    if (!(patch instanceof Map<?, ?> changes)) {
      return patch;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    if (target instanceof Map<?, ?> object) {
      object.forEach((name, value) -> result.put((String) name, value));
    }
    changes.forEach(
        (key, change) -> {
          String name = (String) key;
          if (change.equals(Literal.NULL)) {
            result.remove(name);
          } else {
            result.put(name, patched(result.get(name), change));
          }
        });
    return result;
  }

  @Override
  public byte @Nullable [] combine(List<byte[]> operands) {
    Object combined = JsonText.parse(operands.get(0));
    for (int i = 1; combined != null && i < operands.size(); i++) {
      combined = combined(combined, JsonText.parse(operands.get(i)));
    }
    return combined == null ? null : JsonText.format(combined);
  }

  /**
   * Returns one patch that has the effect of two; null if there is none, because a patch cannot
   * replace a value by an object, nor remove a member and add it again, which moves it to the end.
   */
  private static @Nullable Object combined(Object older, Object newer) {
    if (!(newer instanceof Map<?, ?> changes)) {
      return newer;
    }
    if (!(older instanceof Map<?, ?> before)) {
      return null;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    before.forEach((name, value) -> result.put((String) name, value));
    for (Map.Entry<?, ?> change : changes.entrySet()) {
      String name = (String) change.getKey();
      Object known = result.get(name);
      Object both = known == null ? change.getValue() : combinedMember(known, change.getValue());
      if (both == null) {
        return null;
      }
      result.put(name, both);
    }
    return result;
  }

  private static @Nullable Object combinedMember(Object older, Object newer) {
    boolean movesToTheEnd = older.equals(Literal.NULL) && !newer.equals(Literal.NULL);
    return movesToTheEnd ? null : combined(older, newer);
  }
}
