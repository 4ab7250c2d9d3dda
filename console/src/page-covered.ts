/** What is open above the page. Notes at its edge are not. */
const ABOVE = '[role="dialog"]:not([aria-modal="false"])'

/** Keys and drops are not meant for a page that something is open above. */
export const isPageCovered = (): boolean => document.querySelector(ABOVE) !== null
