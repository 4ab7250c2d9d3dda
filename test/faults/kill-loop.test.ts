import { expect, test } from 'vitest'
import { discard, freshDataDir, startService } from '../support/service.ts'

const ROUNDS = process.env.MARQUEE_TEST_LONG ? 20 : 6
const WRITERS = 4

test(`nothing acknowledged is missing after ${ROUNDS} times kill -9 in a loop of writes`, {
  timeout: 300_000,
}, async () => {
  const dataDir = freshDataDir()
  const acknowledged = new Set<string>()
  let attempted = 0

  for (let round = 0; round < ROUNDS; round++) {
    const service = await startService({ dataDir })
    const { org_id: org } = service.quickstart
    const owner = service.api.as({ authorization: `Bearer ${service.quickstart.access_token}` })
    let killed = false

    async function write(): Promise<void> {
      while (!killed) {
        const name = `project ${attempted++}`
        try {
          const made = await owner.post(`/organizations/${org}/projects/v1`, { name })
          if (made.status === 201) acknowledged.add(name)
        } catch {
          return
        }
      }
    }
    const writers = Array.from({ length: WRITERS }, write)
    // Somewhere in the middle of the writing, elsewhere each time.
    const before = acknowledged.size
    while (acknowledged.size < before + 3 + ((round * 7) % 23))
      await new Promise((resolve) => setTimeout(resolve, 1))
    await service.kill()
    killed = true
    await Promise.all(writers)
  }

  const service = await startService({ dataDir })
  const owner = service.api.as({ authorization: `Bearer ${service.quickstart.access_token}` })
  const { body } = await owner.get(`/organization/${service.quickstart.org_id}/projects`)
  const kept = new Set(body.projects.map((project: { name: string }) => project.name))
  expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(ROUNDS * 3)
  await service.stop()
  discard(dataDir)
})
