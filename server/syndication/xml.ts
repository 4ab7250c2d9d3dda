const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as it stands in XML and HTML, in an element or an attribute. What XML has no way to write is left out. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"']/g, (char) => ENTITIES[char]!)
}

type Attributes = Record<string, string | number | true | undefined>

/** An element with text in it, or with none. An attribute that is undefined is left out. */
export function element(name: string, attributes: Attributes = {}, text?: string | number): string {
  const given = attributesOf(attributes)
  return text === undefined ? `<${name}${given}/>` : `<${name}${given}>${escapeText(String(text))}</${name}>`
}

export function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`))
    .join('')
}
