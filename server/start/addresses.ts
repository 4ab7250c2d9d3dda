import type { Config } from '../config/config.ts'

/** Where the public finds the service. */
export interface Addresses {
  base: string
  upload: string
  cdn: string
}

/** The path under which an address of its own is served here. */
export function pathOf(address: string): string {
  return new URL(address).pathname.replace(/\/+$/, '')
}

export function addressesOf(config: Config, port: number): Addresses {
  const base = config.baseUrl ?? `http://localhost:${port}`
  return { base, upload: config.uploadUrl ?? `${base}/upload`, cdn: config.cdnUrl ?? `${base}/cdn` }
}
