import path from 'node:path'

const HOST = path.resolve(import.meta.dirname, '../packages/player/src/host.ts')

/** Ways in which media-chrome makes elements of text, and the same by the policy of the player. */
const SINKS: [RegExp, string][] = [
  [/(\.innerHTML = )(?!"";)([^;\n]+);/g, '$1trusted($2);'],
  [/(\.setHTMLUnsafe\()(\w+)\)/g, '$1trusted($2))'],
  [/(\.insertAdjacentHTML\(\s*"\w+",\s*)('[^']*')(\s*\))/g, '$1trusted($2)$3'],
  [/(\.parseFromString\()(\w+), "text\/html"\)/g, '$1trusted($2), "text/html")'],
]
/** Those that are left as they were. A newer media-chrome may have other ones: then the build says so. */
const LEFT =
  /\.innerHTML = (?!trusted\(|"";)|\.(setHTMLUnsafe|insertAdjacentHTML|parseFromString)\((?![^;]*trusted\()/

/**
 * What media-chrome makes of text is marked as the player's own, for pages that take no other: its styles carry the nonce of
 * the page, its markup comes from the player's policy. See host.ts of the player.
 */
export const trustedMarkup = {
  name: 'trusted-markup',
  transform: {
    filter: { id: /\/media-chrome\// },
    handler(code: string, id: string): string {
      const nonced = code.replaceAll('<style>', NONCED)
      const marked = SINKS.reduce((text, [sink, same]) => text.replace(sink, same), nonced)
      const left = LEFT.exec(marked)
      if (left) throw new Error(`${id} makes elements of text in a new way: ${left[0]}`)
      return marked === nonced ? marked : `import { trusted } from ${JSON.stringify(HOST)}\n${marked}`
    },
  },
}
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is put into template strings of media-chrome.
const NONCED = '<style nonce="${document.querySelector(`meta[property=csp-nonce]`)?.nonce ?? ``}">'
