import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { StartupError } from '../../base/errors.ts'

/** How a connection is encrypted; false for not at all. */
export type Encryption = tls.ConnectionOptions | false

const MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const FILES = ['sslrootcert', 'sslcert', 'sslkey']
/** The driver's own name for what `sslmode` means here anyway. */
const NO_EFFECT = 'uselibpqcompat'

/**
 * Takes what an address says of TLS out of its parameters: the ways to connect, in the order in which they are
 * tried. It means what it means to libpq (PostgreSQL's manual, "SSL Support"); the driver would read some of it
 * otherwise, and leave out without a word what it does not know.
 */
export function takeEncryption(given: URLSearchParams, host: string): Encryption[] {
  const take = (name: string) => {
    const value = given.get(name)
    given.delete(name)
    return value || undefined
  }
  take(NO_EFFECT)
  // As in addresses for JDBC.
  const isAsked = take('ssl') === 'true'
  const mode = take('sslmode') ?? (isAsked ? 'require' : 'prefer')
  if (!MODES.includes(mode)) throw wrong(`sslmode is one of ${MODES.join(', ')}, not "${mode}".`)
  const [rootFile, certFile, keyFile] = FILES.map(take)
  const unknown = [...given.keys()].find((name) => /^(require)?ssl/.test(name))
  if (unknown) throw wrong(`${unknown} is not supported. Of TLS there are sslmode, ${FILES.join(', ')}.`)

  // There is nobody to listen on a socket of the same machine, and no TLS.
  if (mode === 'disable' || host.startsWith('/')) return [false]
  const own = ownCertificate(certFile, keyFile)
  const encrypted = { ...own, ...trust(mode, rootFile) }
  if (mode === 'prefer') return [encrypted, false]
  return mode === 'allow' ? [false, encrypted] : [encrypted]
}

/** Who has to vouch for the server, and whether for its name, too. */
function trust(mode: string, rootFile: string | undefined): tls.ConnectionOptions {
  const isSystem = rootFile === 'system'
  if (isSystem && mode !== 'verify-full')
    throw wrong(`sslrootcert=system goes with sslmode=verify-full only: anybody gets such a certificate.`)
  if (mode === 'verify-full') {
    const ca = isSystem || !rootFile ? tls.getCACertificates('system') : read('sslrootcert', rootFile)
    return { ca }
  }
  if (mode === 'verify-ca' && !rootFile) throw wrong('sslmode=verify-ca needs sslrootcert.')
  // With a root, `require` is `verify-ca`.
  if (!rootFile || mode === 'prefer' || mode === 'allow') return { rejectUnauthorized: false }
  return { ca: read('sslrootcert', rootFile), checkServerIdentity: () => undefined }
}

function ownCertificate(certFile: string | undefined, keyFile: string | undefined): tls.ConnectionOptions {
  if (!certFile && !keyFile) return {}
  if (!certFile || !keyFile) throw wrong('sslcert and sslkey go together.')
  return { cert: read('sslcert', certFile), key: read('sslkey', keyFile) }
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrong(`${name}: ${(error as Error).message}.`)
  }
}

function wrong(message: string): StartupError {
  return new StartupError(`MARQUEE_DATABASE_URL: ${message}`)
}
