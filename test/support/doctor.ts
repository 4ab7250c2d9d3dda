import { marqueeWith } from './marquee.ts'

export interface Found {
  name: string
  state: string
  found: string
  todo?: string
}

/** What `marquee doctor` says of each thing. */
export async function examined(env: Record<string, string>) {
  const { code, out } = await marqueeWith({ PATH: process.env.PATH!, ...env }, 'doctor', '--json')
  return { code, by: byName(out) }
}

export const byName = (printed: string): Record<string, Found> =>
  Object.fromEntries((JSON.parse(printed) as Found[]).map((one) => [one.name, one]))
