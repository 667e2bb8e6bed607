/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package example;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.cassandra.autoconfigure.CqlSessionBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Keeps notes in Cassandra: {@code PUT /notes/NAME} with a text, {@code GET /notes/NAME}. */
@SpringBootApplication
public class Application {
  public static void main(String[] arguments) {
    SpringApplication.run(Application.class, arguments);
  }

  /** The driver's metrics and Curtail's go where Spring's are: to /actuator/prometheus. */
  @Bean
  CqlSessionBuilderCustomizer driverMetrics(MeterRegistry registry) {
    return builder -> builder.withMetricRegistry(registry);
  }

  @RestController
  static class Notes {
    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;

    Notes(CqlSession session) {
      this.session = session;
      session.execute(
          "CREATE KEYSPACE IF NOT EXISTS example WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      session.execute("CREATE TABLE IF NOT EXISTS example.notes (name text PRIMARY KEY, text text)");
      write = session.prepare("INSERT INTO example.notes (name, text) VALUES (?, ?)");
      read = session.prepare("SELECT text FROM example.notes WHERE name = ?");
    }

    @PutMapping("/notes/{name}")
    void put(@PathVariable("name") String name, @RequestBody String text) {
      session.execute(write.bind(name, text));
    }

    @GetMapping("/notes/{name}")
    String get(@PathVariable("name") String name) {
      Row row = session.execute(read.bind(name).setIdempotent(true)).one();
      if (row == null) {
        throw new ResponseStatusException(HttpStatus.NOT_FOUND);
      }
      return row.getString("text");
    }
  }
}
