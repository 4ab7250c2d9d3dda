/** Where this script was loaded from is where the service is, unless the page says otherwise. */
export const SERVICE: string = /^(https?:.*)\/sdk\//.exec(import.meta.url)?.[1] ?? ''

/** On a server there are no elements; pages are rendered there all the same. */
export const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as typeof HTMLElement)

/** So far from the screen an element is prepared. */
export const MARGIN = '400px'

/** What a page set before the script came hides an element's own property. */
export function adopt<Element extends HTMLElement>(element: Element, name: keyof Element): void {
  if (!Object.hasOwn(element, name)) return
  const value = element[name]
  delete (element as Partial<Element>)[name]
  element[name] = value
}
