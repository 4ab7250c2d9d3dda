import type { SessionStart } from './events.ts'

/** What is true of all events of a page. The names of browsers are in the order in which they pretend to be each other. */
export function aboutBrowser(): object {
  const { userAgent = '', language } = globalThis.navigator ?? {}
  return {
    browser: ['Edge', 'OPR', 'Firefox', 'Chrome', 'Safari'].find((name) =>
      userAgent.includes(name.slice(0, 3)),
    ),
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
export function asksForPrivacy(): boolean {
  const { doNotTrack, globalPrivacyControl } = (globalThis.navigator ?? {}) as Navigator & {
    globalPrivacyControl?: boolean
  }
  return doNotTrack === '1' || globalPrivacyControl === true
}

/**
 * A text that pages of this origin keep, for ever or for as long as a tab is open; `null` removes it. Where that is
 * forbidden nothing is kept.
 */
export function kept(
  storage: 'localStorage' | 'sessionStorage',
  name: string,
  text?: string | null,
): string | null | undefined {
  try {
    const { [storage]: texts } = globalThis
    if (text === null) texts.removeItem(name)
    else if (text) texts.setItem(name, text)
    return texts.getItem(name)
  } catch {
    return undefined
  }
}
