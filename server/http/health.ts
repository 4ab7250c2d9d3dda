import { Type } from 'typebox'
import { unavailable } from '../base/errors.ts'
import { operation } from './operation.ts'
import { named, ref } from './schemas.ts'
import type { App } from './types.ts'

/** An engine the service stands on; `check` throws when it does not answer. */
export interface Engine {
  name: string
  check(): Promise<void>
}

const Health = named('Health', Type.Object({ status: Type.Literal('ok') }), { status: 'ok' })

const Readiness = named(
  'Readiness',
  Type.Object({ status: Type.String(), engines: Type.Record(Type.String(), Type.String()) }),
  { status: 'ready', engines: { postgres: 'ok', objects: 'ok', events: 'ok' } },
)

const PATIENCE_MS = 2000

export function healthRoutes(app: App, engines: Engine[], isDraining: () => boolean): void {
  app.get(
    '/healthz',
    operation({
      tag: 'Operations',
      id: 'getHealth',
      summary: 'Whether the process answers',
      credential: 'none',
      limit: 'none',
      answers: { 200: ref(Health) },
    }),
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    operation({
      tag: 'Operations',
      id: 'getReadiness',
      summary: 'Whether the service can do its work: its engines answer and it is not stopping',
      credential: 'none',
      limit: 'none',
      answers: { 200: ref(Readiness) },
    }),
    async (request) => {
      const states = await Promise.all(
        engines.map((engine) =>
          stateOf(engine, (err) =>
            request.log.warn({ reqId: request.id, err, engine: engine.name }, 'not ready'),
          ),
        ),
      )
      if (isDraining()) throw unavailable('draining')
      const engineStates = Object.fromEntries(engines.map((engine, i) => [engine.name, states[i]!]))
      if (states.some((state) => state !== 'ok'))
        throw unavailable(engines.map((engine, i) => `${engine.name}: ${states[i]}`).join(', '))
      return { status: 'ready', engines: engineStates }
    },
  )
}

async function stateOf(engine: Engine, onFailure: (error: unknown) => void): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS)
  })
  try {
    await Promise.race([engine.check(), late])
    return 'ok'
  } catch (error) {
    onFailure(error)
    return 'unavailable'
  } finally {
    clearTimeout(timer)
  }
}
