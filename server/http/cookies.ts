import type { FastifyReply, FastifyRequest } from 'fastify'

export interface Cookie {
  name: string
  /** The browser sends it to addresses below this one and to no other. */
  path: string
  /** `Lax` is for what has to come along when another site leads back here. */
  sameSite: 'Strict' | 'Lax'
}

/** Sets a cookie that no script can read, and that is sent by https alone where the service is reached by it. */
export function setCookie(
  reply: FastifyReply,
  { name, path, sameSite }: Cookie,
  { value, maxAge, baseUrl }: { value: string; maxAge: number; baseUrl: string },
): void {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  const rest = `Path=${path}; HttpOnly; SameSite=${sameSite}${secure}; Max-Age=${maxAge}`
  reply.header('set-cookie', `${name}=${value}; ${rest}`)
}

export function readCookie({ headers }: FastifyRequest, { name }: Cookie): string | undefined {
  const all = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return all.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}
