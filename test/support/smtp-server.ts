import net from 'node:net'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they came over the wire, the quoting of dots undone. */
  raw: string
}

export interface SmtpServer {
  url: string
  received: ReceivedMail[]
  /** Answers `RCPT` with this line from now on; undefined for taking everything. */
  refuseWith(line: string | undefined): void
  /** Cuts every connection without a word from now on, or no longer. */
  setUp(up: boolean): void
}

/** A mail server that keeps what it is given: as much of RFC 5321 as a client needs. It ends with the test, or when told. */
export async function startSmtpServer(
  whenDone: (close: () => void) => void = onTestFinished,
): Promise<SmtpServer> {
  const received: ReceivedMail[] = []
  let refusal: string | undefined
  let up = true

  const server = net.createServer((socket) => {
    if (!up) return socket.destroy()
    const say = (line: string) => socket.write(`${line}\r\n`)
    let mail: ReceivedMail = { from: '', to: [], raw: '' }
    let inData = false
    let rest = ''

    function command(line: string): void {
      const verb = line.slice(0, 4).toUpperCase()
      const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
      if (verb === 'EHLO' || verb === 'HELO') say('250 mail.test')
      else if (verb === 'MAIL') {
        mail = { from: address, to: [], raw: '' }
        say('250 ok')
      } else if (verb === 'RCPT') {
        if (!refusal) mail.to.push(address)
        say(refusal ?? '250 ok')
      } else if (verb === 'DATA') {
        inData = true
        say('354 go on')
      } else if (verb === 'QUIT') {
        say('221 bye')
        socket.end()
      } else say('250 ok')
    }

    function dataLine(line: string): void {
      if (line !== '.') {
        mail.raw += `${line.startsWith('.') ? line.slice(1) : line}\n`
        return
      }
      inData = false
      received.push(mail)
      say('250 taken')
    }

    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) inData ? dataLine(line) : command(line)
    })
    say('220 mail.test')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  whenDone(() => void server.close())
  return {
    url: `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    received,
    refuseWith: (line) => {
      refusal = line
    },
    setUp: (value) => {
      up = value
    },
  }
}

/** The text of a mail as its reader sees it: quoted-printable undone. */
function readMail({ raw }: ReceivedMail): string {
  const body = raw.slice(raw.indexOf('\n\n'))
  if (!/^content-transfer-encoding: quoted-printable/im.test(raw)) return body
  const bytes = body
    .replaceAll('=\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The link to a page of the service in it. */
export function linkIn(mail: ReceivedMail): string {
  return /https?:\/\/\S+\/console\/\S+/.exec(readMail(mail))![0]
}

/** The token of the invitation in it. */
export function tokenIn(mail: ReceivedMail): string {
  return /inv_[\w-]{26}\.[\w-]{43}/.exec(readMail(mail))![0]
}
