import type { SessionStart } from './events.ts'

/** What is true of all events of a page. The names of browsers are in the order in which they pretend to be each other. */
export function aboutBrowser(): object {
  const { userAgent = '', language } = globalThis.navigator ?? {}
  return {
    browser: 'Edge OPR Firefox Chrome Safari'.split(' ').find((name) => userAgent.includes(name.slice(0, 3))),
    language,
  }
}

export function aboutSession(): SessionStart {
  const asked = new URLSearchParams(globalThis.location?.search)
  const { screen, navigator } = globalThis
  return {
    platform: 'web',
    utm_source: asked.get('utm_source') ?? undefined,
    utm_campaign: asked.get('utm_campaign') ?? undefined,
    screen_resolution: screen && `${screen.width}x${screen.height}`,
    color_depth: screen?.colorDepth,
    touch_support: navigator?.maxTouchPoints > 0,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
}

/** Do Not Track and Global Privacy Control. */
export function asksForPrivacy(): boolean | undefined {
  const { doNotTrack, globalPrivacyControl } = (globalThis.navigator ?? {}) as Navigator & {
    globalPrivacyControl?: boolean
  }
  return doNotTrack === '1' || globalPrivacyControl
}

/** By this name a browser keeps the id of its viewer, and a tab whose session has begun in it. */
const NAME = 'marquee.viewer'

/**
 * The text that pages of this origin keep, for ever or for as long as a tab is open; `null` removes it. Where that is
 * forbidden nothing is kept.
 */
export function kept(
  storage: 'localStorage' | 'sessionStorage',
  text?: string | null,
): string | null | undefined {
  try {
    const { [storage]: texts } = globalThis
    if (text === null) texts.removeItem(NAME)
    else if (text) texts.setItem(NAME, text)
    return texts.getItem(NAME)
  } catch {}
}

/** In the order in which they are made, and nobody else's. Not randomUUID: pages without https have none. */
export function newId(): string {
  return Date.now().toString(36) + crypto.getRandomValues(new Uint32Array(3)).join('-')
}
