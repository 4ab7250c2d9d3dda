import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { findLiveKey, findUserOfSession } from '../../server/access/authentication/store.ts'
import { listProjects, projectUsage } from '../../server/access/projects/store.ts'
import { connect } from '../../server/platform/postgres/client.ts'
import { embeddedSocket } from '../../server/platform/postgres/embedded.ts'

/**
 * The least a server can do for the same answers: the same statements by the same driver, the same
 * bytes out, and nothing else. No router, no checks, no limits, no headers beyond the necessary.
 */
const { dataDir, keyId, sessionId, orgId, projectId } = JSON.parse(process.argv[2]!)
const sql = connect({ socket: embeddedSocket(dataDir) }, { max: 18 })

async function project() {
  await findLiveKey(sql, keyId)
  const { plan: _, ...info } = (await projectUsage(sql, projectId))!
  return { ...info, storage_limit: 10 * 2 ** 40 }
}

async function projects() {
  await findUserOfSession(sql, sessionId)
  return { projects: await listProjects(sql, orgId, undefined, {}) }
}

const server = http.createServer(async (request, response) => {
  const body = JSON.stringify(await (request.url === '/project' ? project() : projects()))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`))
process.on('SIGINT', () => process.exit(0))
