import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least a server can do for the same bytes: it has them in memory and sends them to everybody. */
const bodies = new Map<string, Buffer>(
  Object.entries(JSON.parse(process.argv[2]!) as Record<string, string>).map(([path, text]) => [
    path,
    Buffer.from(text),
  ]),
)

const server = http.createServer((request, response) => {
  const body = bodies.get(request.url!)!
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
