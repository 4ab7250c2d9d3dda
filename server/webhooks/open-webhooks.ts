import type { DeliveriesDeps } from './deliveries.ts'
import { type Dispatcher, type DispatcherDeps, startDispatcher } from './dispatcher.ts'
import { webhookRoutes } from './routes.ts'

export function openWebhooks(deps: DeliveriesDeps & DispatcherDeps) {
  let dispatcher: Dispatcher | undefined
  return {
    routes: [webhookRoutes(deps)],
    work() {
      dispatcher = startDispatcher(deps)
    },
    async close() {
      await dispatcher?.close()
    },
  }
}
