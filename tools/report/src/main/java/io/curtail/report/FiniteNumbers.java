/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;

/** Writes NaN and infinities as null, and other doubles with seven significant digits. */
final class FiniteNumbers extends SimpleModule {
  FiniteNumbers() {
    addSerializer(Double.class, new Scalar(Double.class));
    addSerializer(double.class, new Scalar(double.class));
    addSerializer(double[].class, new Array());
  }

  private static void write(double value, JsonGenerator out) throws IOException {
    if (!Double.isFinite(value)) {
      out.writeNull();
    } else if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      out.writeNumber((long) value);
    } else {
      out.writeNumber(new BigDecimal(value).round(new MathContext(7)).doubleValue());
    }
  }

  private static final class Scalar extends StdSerializer<Double> {
    Scalar(Class<Double> type) {
      super(type);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      write(value, out);
    }
  }

  private static final class Array extends StdSerializer<double[]> {
    Array() {
      super(double[].class);
    }

    @Override
    public void serialize(double[] values, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeStartArray();
      for (double value : values) {
        write(value, out);
      }
      out.writeEndArray();
    }
  }
}
