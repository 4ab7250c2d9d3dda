/** A new element at the end of another. */
export function appendElement<Tag extends keyof HTMLElementTagNameMap>(
  parent: Element,
  tag: Tag,
  properties: object,
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties)
  parent.append(element)
  return element
}
