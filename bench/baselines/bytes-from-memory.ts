import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The least a server can do for the same bytes: it has them in memory and sends them to everybody. */
const answers = new Map(
  Object.entries(
    JSON.parse(process.argv[2]!) as Record<string, { headers: Record<string, string>; body: string }>,
  ).map(([path, { headers, body }]) => [path, { headers, body: Buffer.from(body) }]),
)

const server = http.createServer((request, response) => {
  const { headers, body } = answers.get(request.url!)!
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
