import type { Chances } from './chances.ts'

export interface Country {
  weight: number
  code: string
  language: string
  timezone: string
  /** Hours ahead of UTC. */
  ahead: number
  cities: string[]
  /** How slow the networks are, beside the fastest. */
  slow: number
}

const COUNTRIES: Country[] = [
  {
    weight: 26,
    code: 'DE',
    language: 'de-DE',
    timezone: 'Europe/Berlin',
    ahead: 1,
    cities: ['Berlin', 'Hamburg', 'Leipzig', 'Munich'],
    slow: 1,
  },
  {
    weight: 22,
    code: 'US',
    language: 'en-US',
    timezone: 'America/New_York',
    ahead: -5,
    cities: ['New York', 'Boston', 'Chicago', 'Atlanta'],
    slow: 1,
  },
  {
    weight: 12,
    code: 'GB',
    language: 'en-GB',
    timezone: 'Europe/London',
    ahead: 0,
    cities: ['London', 'Leeds', 'Glasgow'],
    slow: 1.05,
  },
  {
    weight: 9,
    code: 'ES',
    language: 'es-ES',
    timezone: 'Europe/Madrid',
    ahead: 1,
    cities: ['Madrid', 'Valencia', 'Bilbao'],
    slow: 1.1,
  },
  {
    weight: 8,
    code: 'BR',
    language: 'pt-BR',
    timezone: 'America/Sao_Paulo',
    ahead: -3,
    cities: ['São Paulo', 'Recife', 'Curitiba'],
    slow: 1.6,
  },
  {
    weight: 8,
    code: 'IN',
    language: 'en-IN',
    timezone: 'Asia/Kolkata',
    ahead: 5.5,
    cities: ['Pune', 'Mumbai', 'Chennai'],
    slow: 1.8,
  },
  {
    weight: 7,
    code: 'JP',
    language: 'ja-JP',
    timezone: 'Asia/Tokyo',
    ahead: 9,
    cities: ['Tokyo', 'Osaka', 'Sapporo'],
    slow: 0.95,
  },
  {
    weight: 5,
    code: 'FR',
    language: 'fr-FR',
    timezone: 'Europe/Paris',
    ahead: 1,
    cities: ['Lyon', 'Paris', 'Nantes'],
    slow: 1,
  },
  {
    weight: 3,
    code: 'PT',
    language: 'pt-PT',
    timezone: 'Europe/Lisbon',
    ahead: 0,
    cities: ['Porto', 'Lisbon'],
    slow: 1.1,
  },
]

export interface Machine {
  weight: number
  browser: string
  os: string
  osVersion: string
  device: 'desktop' | 'mobile' | 'tablet'
  screen: string
}

/** The browser that an update has broken. */
export const BROKEN = 'Samsung Internet'

const MACHINES: Machine[] = [
  { weight: 24, browser: 'Chrome', os: 'Windows', osVersion: '11', device: 'desktop', screen: '1920x1080' },
  { weight: 22, browser: 'Chrome', os: 'Android', osVersion: '15', device: 'mobile', screen: '412x915' },
  { weight: 21, browser: 'Safari', os: 'iOS', osVersion: '18', device: 'mobile', screen: '390x844' },
  { weight: 8, browser: 'Safari', os: 'macOS', osVersion: '15', device: 'desktop', screen: '1512x982' },
  { weight: 9, browser: 'Firefox', os: 'Windows', osVersion: '11', device: 'desktop', screen: '1920x1080' },
  { weight: 3, browser: 'Firefox', os: 'Linux', osVersion: '', device: 'desktop', screen: '2560x1440' },
  { weight: 6, browser: 'Edge', os: 'Windows', osVersion: '11', device: 'desktop', screen: '1536x864' },
  { weight: 4, browser: 'Safari', os: 'iPadOS', osVersion: '18', device: 'tablet', screen: '820x1180' },
  { weight: 9, browser: BROKEN, os: 'Android', osVersion: '15', device: 'mobile', screen: '384x854' },
]

export interface Person {
  id: string
  country: Country
  city: string
  machine: Machine
  /** How much they like what they see, beside others. */
  keen: number
}

export function meet(number: number, { pick, next, skewed }: Chances): Person {
  const country = pick(COUNTRIES)
  return {
    id: `viewer-${String(number).padStart(5, '0')}`,
    country,
    city: country.cities[Math.floor(next() * country.cities.length)]!,
    machine: pick(MACHINES),
    keen: Math.min(2.2, skewed(1, 0.35)),
  }
}
