/** An ending as files have it, and not the end of a sentence. */
const ENDING = /\.[a-z0-9]{1,5}$/i
const UNFIT = /[\x00-\x1f\x7f/\\:*?"<>|\u2028\u2029]/g
const LONGEST = 150

/** What a file of this name is kept as once it is of another kind: such as every system takes it. */
export function nameAs(name: string, ending: string): string {
  const stem = name.toWellFormed().replace(ENDING, '').replace(UNFIT, ' ').replace(/\s+/g, ' ').trim()
  return `${Array.from(stem).slice(0, LONGEST).join('') || 'video'}.${ending}`
}

/** A Content-Disposition by RFC 6266: the name as it is, and one in ASCII for who does not read that. */
export function attachment(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(/["\\%]/g, '')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
