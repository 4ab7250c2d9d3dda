import type { ProjectId } from './ids.ts'

/** Where media is delivered: under the domain that a project has proved to be its own, or where that of all others is. */
export interface CdnUrl {
  of(projectId: ProjectId): string
  /** Where it is for projects without a domain, and stays for all: an address that somebody has works on. */
  readonly shared: string
  /** Whose domain a host is; undefined for one that is nobody’s, such as the service’s own. */
  ownerOf(host: string): ProjectId | undefined
  /** Another one after every change: what was written before has other addresses in it. */
  version(): number
}

/** For a Content-Security-Policy of a page that shows media of one project, or none: the origins that it has addresses at. */
export function mediaSources(cdnUrl: CdnUrl, projectId?: ProjectId): string {
  const addresses = [cdnUrl.shared, ...(projectId ? [cdnUrl.of(projectId)] : [])]
  return [...new Set(addresses.map((address) => new URL(address).origin))].join(' ')
}
