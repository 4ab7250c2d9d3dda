import dgram from 'node:dgram'
import { onTestFinished } from 'vitest'

export interface DnsServer {
  /** As the setting takes it. */
  address: string
  /** Names and the texts of their TXT records. */
  texts: Map<string, string[]>
  /** Names and their IPv4 addresses: the first list for the first question, and so on, the last one for ever. */
  addresses: Map<string, string[][]>
  /** Answers SERVFAIL from now on, or no longer. */
  setUp(up: boolean): void
}

const A = 1
const TXT = 16
const NO_ERROR = 0
const SERVER_FAILURE = 2
const NO_SUCH_NAME = 3

/** A server of the DNS over UDP that knows TXT and A records: as much of RFC 1035 as a resolver asks for. */
export async function startDnsServer(): Promise<DnsServer> {
  const texts = new Map<string, string[]>()
  const addresses = new Map<string, string[][]>()
  function find(name: string, type: number): Buffer[] {
    if (type === TXT) return (texts.get(name) ?? []).map((text) => answerOf(TXT, textData(text)))
    const lists = addresses.get(name)
    if (type !== A || !lists) return []
    const list = lists.length > 1 ? lists.shift()! : lists[0]!
    return list.map((address) => answerOf(A, Buffer.from(address.split('.').map(Number))))
  }
  let up = true
  const socket = dgram.createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const found = up ? find(name.toLowerCase(), type) : []
    const isKnown = found.length > 0 || addresses.has(name.toLowerCase())
    const code = up ? (isKnown ? NO_ERROR : NO_SUCH_NAME) : SERVER_FAILURE
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    // A response to a standard query; recursion desired and available.
    header.writeUInt16BE(0x8180 | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(found.length, 6)
    socket.send(Buffer.concat([header, query.subarray(12, end), ...found]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => void socket.close())
  return {
    address: `127.0.0.1:${socket.address().port}`,
    texts,
    addresses,
    setUp: (value) => {
      up = value
    },
  }
}

/** The name and the type that are asked for, and where the question ends: four bytes of type and class follow the name. */
function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels = []
  let at = 12
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

const textData = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])

/** A record of the name in the question (a pointer to byte 12), of class IN, good for a minute. */
function answerOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(60, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
