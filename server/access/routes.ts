import type { App } from '../http/types.ts'
import { auditRoutes } from './audit/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import type { ResetDeps } from './links/password-resets.ts'
import { resetRoutes } from './links/routes.ts'
import { type MemberDeps, memberRoutes } from './members/routes.ts'
import type { OpenIdDeps } from './openid/browser-sign-in.ts'
import { openIdRoutes } from './openid/routes.ts'
import { policyRoutes } from './policies/routes.ts'
import { type ProjectDeps, projectRoutes } from './projects/routes.ts'
import type { FailedRequestDeps } from './requests/failed-requests.ts'
import { requestRoutes } from './requests/routes.ts'
import { signingKeyRoutes } from './signing-keys/routes.ts'
import { browserRoutes } from './tokens/browser-routes.ts'
import { type PasswordlessDeps, passwordlessRoutes } from './tokens/passwordless-routes.ts'
import { tokenRoutes } from './tokens/routes.ts'

export interface AccessDeps
  extends FailedRequestDeps,
    MemberDeps,
    OpenIdDeps,
    PasswordlessDeps,
    ProjectDeps,
    ResetDeps {
  sql: ProjectDeps['sql']
}

export function accessRoutes(deps: AccessDeps): (app: App) => void {
  return (app) => {
    tokenRoutes(app, deps)
    browserRoutes(app, deps)
    passwordlessRoutes(app, deps)
    openIdRoutes(app, deps)
    resetRoutes(app, deps)
    keyRoutes(app, deps.sql)
    signingKeyRoutes(app, deps.sql)
    requestRoutes(app, deps)
    projectRoutes(app, deps)
    policyRoutes(app, deps.sql)
    memberRoutes(app, deps)
    auditRoutes(app, deps.sql)
  }
}
