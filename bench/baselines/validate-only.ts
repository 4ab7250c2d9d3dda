import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { TrackEventsRequest } from '../../server/analytics/events/schemas.ts'
import { namedSchemas } from '../../server/http/schemas.ts'

/** The least a server can do with events: it parses and validates them, and throws them away. */
const ajv = new Ajv({ strict: false })
;(addFormats as unknown as (ajv: Ajv) => void)(ajv)
ajv.addSchema(namedSchemas())
const isValid = ajv.compile(TrackEventsRequest)

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const ok = isValid(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(ok ? 200 : 400, { 'content-type': 'application/json' })
    response.end('{}')
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
