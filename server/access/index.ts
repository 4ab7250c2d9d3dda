// Organizations, projects, keys, users, members, policies and tokens: what other rooms may use of them.

export { audit, changed, forgetAudit } from './audit/audit.ts'
export { authenticateKey } from './authentication/authenticate-key.ts'
export { authenticateToken } from './authentication/authenticate-token.ts'
export { firstStart, newSeed, ownerToken, type Seed } from './installation/first-start.ts'
export { findWebhookSecret, installationSecret, isInstalled } from './installation/store.ts'
export { createKey, findKeyById, listKeys, revokeKey, rotateKey } from './keys/keys.ts'
export { MAIL_RESET } from './links/mail-reset.ts'
export { makeResetLink, makeSignInLink, ownerSignInLink } from './links/operator-links.ts'
export { openAccess } from './open-access.ts'
export { openIdProvider } from './openid/provider.ts'
export { openIdVerifier } from './openid/verifier.ts'
export { changePlan, createOrganization, listOrganizations, showPlan } from './organizations/organizations.ts'
export {
  type HeldOrganization,
  lockOrganizations,
  organizationsWithEndedPlans,
  setTimedPlans,
  type TimedPlan,
} from './organizations/store.ts'
export { knownDomains } from './projects/known-domains.ts'
export {
  createProject,
  deleteProject,
  findOrganizationOfProject,
  listProjects,
  listTrashedProjects,
  purgeProjects,
  restoreProject,
} from './projects/projects.ts'
export { type ProjectScope, projectOf, resolveProject } from './projects/resolve-project.ts'
export { ProjectHeader, VideoQuality } from './projects/schemas.ts'
export {
  listStorage,
  requireRoomFor,
  requireStorage,
  type StorageDeps,
  type StorageLimits,
} from './projects/storage.ts'
export { mediaDefaults, projectExists } from './projects/store.ts'
export {
  type PlaybackTokens,
  refused as refusedToken,
} from './signing-keys/playback-tokens.ts'
export { type TokenIssuer, tokenIssuer } from './tokens/issuer.ts'
export { issueToken } from './tokens/sessions.ts'
export { changePassword, createUser, listUsers, proveAddress } from './users/users.ts'
