/** Where this script was loaded from is where the service is, unless the page says otherwise. */
export const SERVICE: string = /^(https?:.*)\/sdk\//.exec(import.meta.url)?.[1] ?? ''

/** On a server there are no elements; pages are rendered there all the same. */
export const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** Pages that forbid inline styles name those that they trust by a nonce. */
const nonce = globalThis.document?.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce

/** Begins the styles of a shadow root. */
export const STYLE_TAG: string = nonce ? `<style nonce="${nonce}">` : '<style>'

/**
 * Pages that make no elements of text (Trusted Types) make an exception for a policy that they name. This one is for what is
 * written in this package and in the controls; a script in it, or a handler, would be somebody else's.
 */
const policy = openPolicy()

/** Text of the player itself, as something that such a page makes elements of. */
export function trusted(markup: string): string {
  return policy?.createHTML(markup) ?? markup
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(markup: string): string }): typeof rules
}

function openPolicy(): ReturnType<TrustedTypes['createPolicy']> | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  try {
    return trustedTypes?.createPolicy('marquee-player', { createHTML })
  } catch {
    // The page does not name it. Where it insists on policies, the browser says so at the first element.
    return undefined
  }
}

function createHTML(markup: string): string {
  if (/<script|\son\w+=/i.test(markup)) throw new TypeError('no markup of the player')
  return markup
}

/** So far from the screen an element is prepared. */
const MARGIN = '400px'

/** Tells when an element is about to be seen, and whether at least half of it is, until the signal. */
export function followVisibility(
  element: Element,
  { near, seen }: { near: () => void; seen: (isSeen: boolean) => void },
  signal: AbortSignal,
): void {
  const observe = (hear: (isIntersecting: boolean) => void, options: IntersectionObserverInit) => {
    const observer = new IntersectionObserver((entries) => hear(entries.at(-1)!.isIntersecting), options)
    observer.observe(element)
    signal.addEventListener('abort', () => observer.disconnect())
  }
  observe((isNear) => isNear && near(), { rootMargin: MARGIN })
  observe(seen, { threshold: 0.5 })
}

/** What a page set before the script came hides an element's own property. */
export function adopt<Element extends HTMLElement>(element: Element, name: keyof Element): void {
  if (!Object.hasOwn(element, name)) return
  const value = element[name]
  delete (element as Partial<Element>)[name]
  element[name] = value
}
