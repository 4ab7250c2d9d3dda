import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Takes whatever is posted to it. Asked by GET, it says how much that was, and what came last. */
let taken = 0
let last = ''
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ taken, last }))
    return
  }
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    last = body
    taken++
    response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
