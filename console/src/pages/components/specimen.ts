import type { ReactNode } from 'react'

/** A component, or a few that belong together, in each of its states. */
export interface Specimen {
  name: string
  states: { state: string; shown: ReactNode }[]
}
