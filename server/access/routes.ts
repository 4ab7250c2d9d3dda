import type { App } from '../http/types.ts'
import { keyRoutes } from './keys/routes.ts'
import { type MemberDeps, memberRoutes } from './members/routes.ts'
import { policyRoutes } from './policies/routes.ts'
import { type ProjectDeps, projectRoutes } from './projects/routes.ts'
import type { FailedRequestDeps } from './requests/failed-requests.ts'
import { requestRoutes } from './requests/routes.ts'
import { type BrowserDeps, browserRoutes } from './tokens/browser-routes.ts'
import { tokenRoutes } from './tokens/routes.ts'

export interface AccessDeps extends BrowserDeps, FailedRequestDeps, MemberDeps, ProjectDeps {}

export function accessRoutes(deps: AccessDeps): (app: App) => void {
  return (app) => {
    tokenRoutes(app, deps)
    browserRoutes(app, deps)
    keyRoutes(app, deps.sql)
    requestRoutes(app, deps)
    projectRoutes(app, deps)
    policyRoutes(app, deps.sql)
    memberRoutes(app, deps)
  }
}
