export interface Colours {
  accent: string
  fill: string
  faint: string
  soft: string
  line: string
}

/** A canvas knows no custom properties: what they are at this moment is read from an element that has them. */
export function tokenColours(near: HTMLElement): Colours {
  const probe = near.appendChild(document.createElement('i'))
  const read = (colour: string): string => {
    probe.style.color = colour
    return getComputedStyle(probe).color
  }
  const colours = {
    accent: read('var(--accent)'),
    fill: read('color-mix(in srgb, var(--accent) 8%, transparent)'),
    faint: read('var(--line-strong)'),
    soft: read('var(--text-soft)'),
    line: read('var(--line)'),
  }
  probe.remove()
  return colours
}

/** Tells when light becomes dark: by the system, or by what somebody chose. */
export function onLook(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)')
  const chosen = new MutationObserver(listener)
  system.addEventListener('change', listener)
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    system.removeEventListener('change', listener)
    chosen.disconnect()
  }
}
