import { repeat } from '../../base/async/repeat.ts'
import type { CdnUrl } from '../../base/cdn-url.ts'
import type { ProjectId } from '../../base/ids.ts'
import type { Sql } from '../../platform/postgres/client.ts'
import { listDomains } from './store.ts'

/** So many seconds after another process has taken a proof, this one knows of it. */
const REFRESH_SECONDS = 1

export interface KnownDomains extends CdnUrl {
  /** Reads them again, where one of them was changed here. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** The domains that projects have proved, in memory: every address that is written asks for one. */
export async function knownDomains(
  sql: Sql,
  { cdnUrl, ownUrls }: { cdnUrl: string; ownUrls: string[] },
  onError: (error: unknown) => void,
): Promise<KnownDomains> {
  const ownHosts = new Set([cdnUrl, ...ownUrls].map((url) => new URL(url).hostname))
  let known = ''
  let version = 0
  let urls = new Map<ProjectId, string>()
  let owners = new Map<string, ProjectId>()

  async function refresh(): Promise<void> {
    // The service’s own hosts are for everybody, whoever claims them.
    const rows = (await listDomains(sql)).filter(({ custom_domain }) => !ownHosts.has(custom_domain))
    const text = JSON.stringify(rows)
    if (text === known) return
    known = text
    version++
    urls = new Map(rows.map(({ id, custom_domain }) => [id, under(custom_domain, cdnUrl)]))
    owners = new Map(rows.map(({ id, custom_domain }) => [canonicalDomain(custom_domain), id]))
  }

  await refresh()
  const repeated = repeat(REFRESH_SECONDS, refresh, onError)
  return {
    of: (projectId) => urls.get(projectId) ?? cdnUrl,
    shared: cdnUrl,
    ownerOf: (host) => owners.get(canonicalDomain(host)),
    version: () => version,
    refresh,
    close: () => repeated.stop(),
  }
}

/** One name for a domain, which may be written with capitals, or with the dot of the root behind it. */
export const canonicalDomain = (name: string) => name.toLowerCase().replace(/\.+$/, '')

/** The same address at another host. */
function under(domain: string, cdnUrl: string): string {
  const url = new URL(cdnUrl)
  url.hostname = domain
  return url.href.replace(/\/$/, '')
}
