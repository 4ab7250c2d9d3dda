export interface Colours {
  accent: string
  fill: string
  faint: string
  soft: string
  line: string
}

/** A canvas knows no custom properties: what they are at this moment is read from an element that has them. */
export function tokenColours(near: HTMLElement): Colours {
  // One element for each: what changes its colour may take a moment to, and has the one before until then.
  const read = (colour: string): string => {
    const probe = document.createElement('i')
    probe.style.color = colour
    near.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
  return {
    accent: read('var(--accent)'),
    fill: read('color-mix(in srgb, var(--accent) 8%, transparent)'),
    faint: read('var(--line-strong)'),
    soft: read('var(--text-soft)'),
    line: read('var(--line)'),
  }
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
