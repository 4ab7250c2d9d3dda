import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../base/errors.ts'
import { answerForwarded, type BillingComponent } from '../billing/index.ts'
import { drain, openListener, portOf, takeOver } from '../http/listener.ts'
import type { Sql } from '../platform/postgres/client.ts'
import type { Server } from './command.ts'

export const BILLING: Server = {
  name: 'billing',
  about: 'Run the billing component on its own, until it is stopped',
  options: {},
}

export interface ServeOptions {
  host: string
  port: number
  secret: string | undefined
  requestTimeoutSeconds: number
  drainSeconds: number
  database: { sql: Sql; close(): Promise<void> }
  /** Makes the database ready; fails while it cannot be reached. */
  prepare(): Promise<void>
  open(onError: (error: unknown) => void): Promise<BillingComponent>
  say(message: string): void
}

const SHORTEST_SECRET = 16

/** The billing component behind an address of its own: answers 503 until it can store, then serves until it is stopped. */
export async function serveBilling(options: ServeOptions): Promise<void> {
  const { secret = '', database, say } = options
  if (secret.length < SHORTEST_SECRET)
    throw new StartupError(
      `MARQUEE_BILLING_INTERNAL_SECRET: needs at least ${SHORTEST_SECRET} characters, the same here and in the service.`,
    )
  const onError = (error: unknown) => say(`billing: ${(error as Error)?.message ?? error}`)
  const component = await options.open(onError)
  const listener = await openListener(options)
  const stopped = untilStopped()
  let isStopping = false
  void stopped.then(() => {
    isStopping = true
  })
  process.stdout.write(`Billing component: http://${options.host}:${portOf(listener)}\n`)
  while (!isStopping && !(await isPrepared(options, onError))) await Promise.race([sleep(1000), stopped])
  if (!isStopping) {
    const check = () => database.sql`select 1`
    takeOver(listener, answerForwarded({ component, secret, check, onError }))
    process.stdout.write('Billing component: ready\n')
  }
  await stopped
  await drain(listener, options.drainSeconds)
  await database.close()
}

async function isPrepared({ prepare }: ServeOptions, onError: (error: unknown) => void): Promise<boolean> {
  try {
    await prepare()
    return true
  } catch (error) {
    if (error instanceof StartupError) throw error
    onError(error)
    return false
  }
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
}
