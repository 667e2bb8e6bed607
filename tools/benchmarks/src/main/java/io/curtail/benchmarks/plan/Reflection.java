/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.benchmarks.plan;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Reaches what the driver keeps to itself; used to set up a benchmark, never in what it measures.
 */
final class Reflection {
  private Reflection() {}

  /** An instance whose constructor has not run. */
  static <T> T allocate(Class<T> type) throws ReflectiveOperationException {
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    Field instance = unsafe.getDeclaredField("theUnsafe");
    instance.setAccessible(true);
    return type.cast(
        unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type));
  }

  static void set(Object target, String field, Object value) throws ReflectiveOperationException {
    for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
      for (Field candidate : type.getDeclaredFields()) {
        if (candidate.getName().equals(field)) {
          candidate.setAccessible(true);
          candidate.set(target, value);
          return;
        }
      }
    }
    throw new NoSuchFieldException(target.getClass().getName() + "." + field);
  }

  /** Calls the only constructor with that many parameters. */
  static Object construct(Class<?> type, Object... arguments) throws ReflectiveOperationException {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == arguments.length) {
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
      }
    }
    throw new NoSuchMethodException(type.getName());
  }

  static Object call(Object target, String method, Object... arguments)
      throws ReflectiveOperationException {
    for (Method candidate : target.getClass().getDeclaredMethods()) {
      if (candidate.getName().equals(method) && candidate.getParameterCount() == arguments.length) {
        candidate.setAccessible(true);
        return candidate.invoke(target, arguments);
      }
    }
    throw new NoSuchMethodException(target.getClass().getName() + "." + method);
  }
}
