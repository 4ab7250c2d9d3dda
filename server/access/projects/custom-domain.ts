import { createHmac } from 'node:crypto'
import { allow, type Caller } from '../../base/caller.ts'
import { conflict, notFound } from '../../base/errors.ts'
import type { ProjectId } from '../../base/ids.ts'
import { DnsUnavailable } from '../../platform/dns/errors.ts'
import type { Dns } from '../../platform/dns/port.ts'
import { isUniqueViolation, type Sql, type Transaction } from '../../platform/postgres/client.ts'
import { type Actor, audit } from '../audit/audit.ts'
import { canonicalDomain, type KnownDomains } from './known-domains.ts'
import type { ProjectScope } from './resolve-project.ts'
import type { DomainRecord, Project } from './schemas.ts'
import { claimDomain, dropDomain, findProject, isDomainProvedElsewhere, takeDomain } from './store.ts'

export interface DomainDeps {
  sql: Sql
  dns: Dns
  /** What the records are made with. */
  domainSecret: string
  /** Where media is delivered, under the domains that are proved. */
  cdnUrl: KnownDomains
}

/**
 * A domain is a claim until a DNS record shows that whoever claims it runs it. Claims keep nobody out: a proof takes the
 * domain from them, and from an earlier proof, since the DNS says whose it is now.
 */
export async function setCustomDomain(
  caller: Caller,
  scope: ProjectScope,
  given: string,
  deps: DomainDeps,
): Promise<Project> {
  allow(caller, 'projects:write', scope)
  const domain = canonicalDomain(given)
  const project = await findProject(deps.sql, scope.orgId, scope.projectId)
  if (!project) throw notFound('no such project')
  if (project.custom_domain === domain && project.custom_domain_status === 'verified')
    return describeDomain(project, deps)
  const record = recordOf(scope.projectId, domain, deps.domainSecret)
  const isProved = await isSet(record, deps.dns)
  if (!isProved && (await isDomainProvedElsewhere(deps.sql, domain, scope.projectId)))
    throw conflict(
      `another project has proved this domain; to take it over, set the DNS record ${record.name} TXT "${record.value}"`,
    )
  const claim = async (tx: Transaction) => {
    const before = await findProject(tx, scope.orgId, scope.projectId)
    // A proof takes the domain from all others, a claim takes it from nobody.
    const losers = isProved ? await takeDomain(tx, domain, scope.projectId) : []
    const claimed = await claimDomain(tx, scope, domain, isProved)
    if (!before || !claimed) throw notFound('no such project')
    await auditDomain(tx, caller, before, claimed)
    // Who proved it is none of another organization's business, nor where from.
    for (const loser of losers)
      await auditDomain(tx, { id: 'dns' }, loser, {
        ...loser,
        custom_domain: '',
        custom_domain_status: undefined,
      })
    return claimed
  }
  const claimed = await deps.sql.begin(claim).catch((error) => {
    if (isUniqueViolation(error))
      throw conflict('another project proves this domain at the same time: ask again')
    throw error
  })
  await deps.cdnUrl.refresh()
  return describeDomain(claimed, deps)
}

async function auditDomain(tx: Transaction, actor: Actor, before: Project, now: Project): Promise<void> {
  const of = ({ custom_domain, custom_domain_status }: Project) => ({ custom_domain, custom_domain_status })
  const about = { orgId: now.org_id, projectId: now.id, resource: now.id, name: now.name }
  await audit(tx, actor, { ...about, action: 'project.changed', before: of(before), after: of(now) })
}

export async function removeCustomDomain(
  caller: Caller,
  scope: ProjectScope,
  { sql, cdnUrl }: Pick<DomainDeps, 'sql' | 'cdnUrl'>,
): Promise<Project> {
  allow(caller, 'projects:write', scope)
  const project = await sql.begin(async (tx) => {
    const before = await findProject(tx, scope.orgId, scope.projectId)
    const dropped = await dropDomain(tx, scope.orgId, scope.projectId)
    if (!before || !dropped) throw notFound('no such project')
    if (before.custom_domain) await auditDomain(tx, caller, before, dropped)
    return dropped
  })
  await cdnUrl.refresh()
  return project
}

/** Tells what is needed to prove the domain, and what it does. */
export function describeDomain(
  project: Project,
  { domainSecret, cdnUrl }: Pick<DomainDeps, 'domainSecret' | 'cdnUrl'>,
): Project {
  if (!project.custom_domain_status) return project
  const isPending = project.custom_domain_status === 'pending'
  const next =
    'custom_domain: not proved yet; set the DNS record in custom_domain_record and PUT the same domain again'
  const use = `custom_domain: media is at ${cdnUrl.of(project.id)}; the domain has to lead there`
  return {
    ...project,
    custom_domain_record: recordOf(project.id, project.custom_domain, domainSecret),
    notes: [isPending ? next : use],
  }
}

/** Of this project and this domain: nobody else's record proves it, and this one proves nothing else. */
function recordOf(projectId: ProjectId, domain: string, secret: string): DomainRecord {
  const proof = createHmac('sha256', secret).update(`${projectId} ${domain}`).digest('base64url')
  return { type: 'TXT', name: `_marquee.${domain}`, value: `marquee-domain=${proof}` }
}

async function isSet({ name, value }: DomainRecord, dns: Dns): Promise<boolean> {
  try {
    return (await dns.texts(name)).some((text) => text.trim() === value)
  } catch (error) {
    // Nothing is known, so nothing is proved; asking again may.
    if (error instanceof DnsUnavailable) return false
    throw error
  }
}
