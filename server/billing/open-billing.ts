import { type BillingDeps, billingRoutes } from './routes.ts'

export function openBilling(deps: BillingDeps) {
  return { routes: [billingRoutes(deps)] }
}
