import type { ProjectId } from './ids.ts'

/** Where media is delivered: under the domain that a project has proved to be its own, or where that of all others is. */
export interface CdnUrl {
  of(projectId: ProjectId): string
  /** Where it is for projects without a domain, and stays for all: an address that somebody has works on. */
  readonly shared: string
  /** Whose domain a host is; undefined for one that is nobody’s, such as the service’s own. */
  ownerOf(host: string): ProjectId | undefined
  /** Whether any project has a domain. */
  hasDomains(): boolean
  /** Another one after every change: what was written before has other addresses in it. */
  version(): number
}

/** For a Content-Security-Policy of pages that show media: its origins, without naming the domains of everybody’s projects. */
export function mediaSources(cdnUrl: CdnUrl): string {
  const { origin, protocol } = new URL(cdnUrl.shared)
  return cdnUrl.hasDomains() ? `${origin} ${protocol}` : origin
}
