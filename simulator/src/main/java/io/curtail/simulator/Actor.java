package io.curtail.simulator;

/** Something that events happen to. */
interface Actor {
  /**
   * @param event the actor's own number for the kind of event
   * @param subject what it is about, or null
   */
  void on(int event, Object subject);
}
