import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { DuckDBInstance } from '@duckdb/node-api'

/** DuckDB alone, asked for the least that any report needs: one scan of all users, or of one film's views and what was watched of it. */
const SCANS: Record<string, string> = {
  users: 'select count(*), count(distinct user_id) from events',
  segments: `select count(distinct viewer), max(duration), sum(list_sum(segment_starts)), sum(list_sum(segment_ends))
    from events where project = 0 and time >= 0 and kind = 'content_view' and video = 0`,
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
