/** Saves what was made here as a file of whoever looks at the page. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  // A browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** What an address answers, as the browser saves it: by a link, so that the page stays. */
export function saveAddress(href: string): void {
  Object.assign(document.createElement('a'), { href, download: '' }).click()
}
