/** No room for more events; none of the request is kept. */
export class EventsFull extends Error {
  override name = 'EventsFull'
}

/** The engine does not answer now. What was taken is safe, and loaded once it does. */
export class EventsUnavailable extends Error {
  override name = 'EventsUnavailable'
}

/** The engine has ended by itself in the middle of it, which can be the fault of what it was given. */
export class EngineCrashed extends EventsUnavailable {
  override name = 'EngineCrashed'
}
