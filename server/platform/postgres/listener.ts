import { escapeIdentifier } from 'pg'
import type { Connection } from './connection.ts'
import { type Connector, closed } from './connector.ts'

interface Subscriber {
  onNotify(payload: string): void
  /** From now on nothing is missed; called anew after every time when something may have been. */
  onListen(): void
}

export interface ChannelSubscription {
  unlisten(): Promise<void>
}

/** One connection that hears what is notified. Where it is lost, another one listens to the same channels. */
export class Listener {
  readonly #connector: Connector
  readonly #channels = new Map<string, Set<Subscriber>>()
  #connection: Promise<Connection> | undefined
  #current: Connection | undefined
  #closed = false

  constructor(connector: Connector) {
    this.#connector = connector
  }

  /** Resolves once everything that is notified from now on is heard. */
  async listen(
    channel: string,
    onNotify: (payload: string) => void,
    onListen = () => {},
  ): Promise<ChannelSubscription> {
    if (this.#closed) throw closed()
    const subscriber = { onNotify, onListen }
    const subscribers = this.#channels.get(channel) ?? new Set()
    this.#channels.set(channel, subscribers.add(subscriber))
    try {
      this.#connection ??= this.#open()
      await say(await this.#connection, `listen ${escapeIdentifier(channel)}`)
    } catch (error) {
      this.#drop(channel, subscriber)
      throw error
    }
    onListen()
    return { unlisten: () => this.#unlisten(channel, subscriber) }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#current?.close()
  }

  destroy(): void {
    this.#closed = true
    this.#current?.destroy()
  }

  async #unlisten(channel: string, subscriber: Subscriber): Promise<void> {
    this.#drop(channel, subscriber)
    const connection = this.#current
    if (!connection || this.#closed) return
    // One that is lost hears nothing any more.
    if (!this.#channels.has(channel))
      await say(connection, `unlisten ${escapeIdentifier(channel)}`).catch(() => {})
  }

  #drop(channel: string, subscriber: Subscriber): void {
    const subscribers = this.#channels.get(channel)
    subscribers?.delete(subscriber)
    if (subscribers?.size === 0) this.#channels.delete(channel)
  }

  async #open(): Promise<Connection> {
    try {
      const connection = await this.#connector.open()
      if (this.#closed) connection.destroy()
      this.#current = connection
      connection.onLost = () => this.#listenAnew()
      connection.onNotification = (channel, payload) => {
        for (const { onNotify } of [...(this.#channels.get(channel) ?? [])]) onNotify(payload)
      }
      if (connection.lost) throw connection.lost
      return connection
    } catch (error) {
      this.#connection = this.#current = undefined
      throw error
    }
  }

  #listenAnew(): void {
    this.#connection = this.#current = undefined
    if (this.#closed || this.#channels.size === 0) return
    this.#connection = this.#open()
    this.#connection
      .then(async (connection) => {
        const channels = [...this.#channels]
        await Promise.all(channels.map(([channel]) => say(connection, `listen ${escapeIdentifier(channel)}`)))
        for (const { onListen } of channels.flatMap(([, subscribers]) => [...subscribers])) onListen()
      })
      // Lost again while it began to listen, which is seen by itself; or not there yet: then again, with the backoff.
      .catch(() => {
        if (!this.#current) this.#listenAnew()
      })
  }
}

function say(connection: Connection, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.send({ text }, (error) => (error ? reject(error) : resolve()))
  })
}
