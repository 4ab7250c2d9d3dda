/** No room for more events; none of the request is kept. */
export class EventsFull extends Error {
  override name = 'EventsFull'
}

/** The engine does not answer now. What was taken is safe, and loaded once it does. */
export class EventsUnavailable extends Error {
  override name = 'EventsUnavailable'
}
