const LONGEST_BYTES = 200

/** A name that somebody has given a file, as one that any file system takes: it leads nowhere else, and hides nothing. */
export function fileName(given: string): string {
  const safe = given.replaceAll(/[\u0000-\u001f\u007f/\\:*?"<>|]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '')
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(safe)?.[0] ?? ''
  let stem = safe.slice(0, safe.length - extension.length)
  while (Buffer.byteLength(stem + extension) > LONGEST_BYTES) stem = [...stem].slice(0, -1).join('')
  return stem + extension || 'file'
}
