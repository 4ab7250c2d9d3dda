import { appendElement } from './append-element.ts'
import { SERVICE } from './host.ts'
import { forControls, type Labels } from './labels.ts'

/**
 * Brings the script of the controls, and does not run it: they tell each other of everything that happens to a video,
 * which would hold up its first frame. An app that is bundled has it under a name that nobody knows here.
 */
export function preloadControls(): void {
  const href = import.meta.url.replace(/[^/]*$/, 'media-chrome.js')
  if (!SERVICE || document.querySelector(`link[href="${href}"]`)) return
  appendElement(document.head, 'link', { rel: 'modulepreload', href })
}

/** Makes controls of the elements that stand in a player for them, in its words. */
export async function runControls(root: ShadowRoot, labels: () => Labels): Promise<void> {
  const { addTranslation, En } = await import('./media-chrome.ts')
  const words = forControls(labels())
  addTranslation('en', { ...En, ...words })
  // They read their words when they come into the page, which is before anybody can have told them.
  if (Object.keys(words).length > 0) {
    const focused = root.activeElement as HTMLElement | null
    const controls = root.querySelector('[part=controls]')!
    controls.parentNode!.insertBefore(controls, controls.nextSibling)
    focused?.focus({ preventScroll: true })
  }
  // It tells whether it is on, which a plain button cannot.
  root.querySelector('media-captions-button')!.role = 'switch'
}
