import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { DuckDBInstance } from '@duckdb/node-api'

/** DuckDB alone, asked for the least that any report needs: one scan of all rows, of users or of what they watched. */
const SCANS: Record<string, string> = {
  users: 'select count(*), count(distinct user_id) from events',
  segments:
    'select count(distinct viewer), sum(list_sum(segment_starts)), sum(list_sum(segment_ends)) from events',
}
const [file, threads, scan] = process.argv.slice(2)
const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY', threads: threads! })
const connection = await instance.connect()

const server = http.createServer(async (_request, response) => {
  const reader = await connection.runAndReadAll(SCANS[scan!]!)
  response.end(reader.getRows()[0]!.join(' '))
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
