import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { helpOf } from '../../server/cli/command.ts'
import { commands } from '../../server/cli/commands.ts'
import { DEMO } from '../../server/cli/demo/command.ts'
import { DOCTOR } from '../../server/cli/doctor.ts'
import { KEEPING } from '../../server/cli/keeping/commands.ts'
import { LISTEN } from '../../server/cli/listen.ts'
import { BILLING } from '../../server/cli/serve-billing.ts'
import { UPLOAD } from '../../server/cli/upload.ts'
import { bearer, key } from '../support/api.ts'
import { marquee, marqueeProgram } from '../support/marquee.ts'
import { browserAt, SESSION, tokenOf } from '../support/page-browser.ts'
import { discard, emptyDataDir, freshDataDir, serviceForTest, startService } from '../support/service.ts'

test('an operator sets a tenant up while the service runs', async () => {
  const service = await serviceForTest()
  const run = (...args: string[]) => marquee(service.dataDir, ...args, '--json')
  const org = (await run('organizations', 'create', '--name', 'Acme', '--plan', 'pro')).json()
  expect(org).toMatchObject({ name: 'Acme', plan: 'pro' })
  const project = (await run('projects', 'create', '--org', org.id, '--name', 'Films')).json()
  const made = (await run('keys', 'create', '--project', project.id, '--name', 'server')).json()
  const withKey = (secret: string) => service.api.as(key(secret)).get('/project')
  expect((await withKey(made.secret)).body).toMatchObject({ id: project.id, storage_limit: 2 ** 40 })

  const rotated = (await run('keys', 'rotate', '--key', made.id, '--grace', '3600')).json()
  expect([(await withKey(made.secret)).status, (await withKey(rotated.secret)).status]).toEqual([200, 200])
  expect((await run('keys', 'list', '--org', org.id)).json()).toMatchObject([{ id: made.id, name: 'server' }])
  expect((await run('keys', 'revoke', '--key', made.id)).json()).toEqual({ revoked: made.id })
  expect((await withKey(rotated.secret)).status).toBe(401)

  const user = (
    await run('users', 'create', '--email', 'a@acme.example', '--org', org.id, '--role', 'owner')
  ).json()
  const login = { email: 'a@acme.example', password: user.password }
  expect((await service.api.as({}).post('/auth/v1/login', login)).status).toBe(200)
  const changed = (await run('users', 'password', '--email', 'a@acme.example')).json()
  expect((await service.api.as({}).post('/auth/v1/login', login)).status).toBe(401)
  expect(changed.password).not.toBe(user.password)
  expect((await run('users', 'list')).json()).toHaveLength(2)
  const linkOf = async (name: string) => {
    const made = (await run('users', name, '--email', 'A@acme.example')).json()
    expect(made).toMatchObject({ email: 'a@acme.example', expires_in: 3600 })
    expect(made.link).toContain(`${service.quickstart.base_url}/console/`)
    return tokenOf(made.link)
  }
  const browser = browserAt(service)
  const link = await linkOf('sign-in-link')
  expect((await browser.send('POST', `${SESSION}/link`, { link })).status).toBe(200)
  const reset = { token: await linkOf('reset-link'), password: 'a new and long one' }
  expect((await browser.send('POST', '/auth/v1/password-reset/complete', reset)).status).toBe(204)
  expect((await browser.renew()).status).toBe(401)
  const token = (await run('tokens', 'create', '--email', 'a@acme.example', '--lifetime', '60')).json()
  const projects = await service.api.as(bearer(token.access_token)).get(`/organization/${org.id}/projects`)
  expect(projects.body.projects).toHaveLength(1)
  expect((await run('organizations', 'plan', '--org', org.id, '--plan', 'free')).json()).toMatchObject({
    plan: 'free',
  })
  const deletion = await run('projects', 'delete', '--project', project.id, '--confirm', 'Films')
  expect(deletion.json()).toEqual({ deleted: project.id })
  expect((await run('projects', 'list', '--org', org.id)).json()).toEqual([])
  expect((await run('organizations', 'list')).json()).toHaveLength(2)
})

test('it works while the service does not run, and leaves nothing running', async () => {
  const dataDir = freshDataDir()
  const service = await startService({ dataDir })
  await service.stop()
  const { out } = await marqueeProgram(dataDir, 'keys', 'list')
  expect(out).toMatch(/Secret key +sk/)
  const again = await startService({ dataDir })
  await again.stop()
  discard(dataDir)
})

/** What may happen once in a hundred commands is looked for where there is time. */
const ROUNDS = process.env.MARQUEE_TEST_LONG ? 50 : 2

test('several at once while no service runs: all are served', { timeout: 600_000 }, async () => {
  const dataDir = freshDataDir()
  await (await startService({ dataDir })).stop()
  // One may come at the very moment at which another stops the database.
  const comeLater = (ms: number) => sleep(ms * Math.random())
  for (let round = 0; round < ROUNDS; round++) {
    const answers = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => {
        await comeLater(600 * i)
        return marqueeProgram(dataDir, '--json', 'keys', 'list')
      }),
    )
    expect(answers.map(({ code, err }) => ({ code, err }))).toEqual(Array(4).fill({ code: 0, err: '' }))
    expect(answers[0]!.json()).toHaveLength(2)
  }
  discard(dataDir)
})

test('help for all and for each', async () => {
  const dataDir = emptyDataDir()
  const all = await marqueeProgram(dataDir, '--help')
  expect(all).toMatchObject({ code: 0, err: '' })
  const names = [...all.out.matchAll(/^ {2}([\w-]+(?: [\w-]+)?) {2}/gm)].map((match) => match[1]!)
  expect(names).toContain('keys rotate')
  expect(names).toEqual(
    [...commands, UPLOAD, LISTEN, DEMO, ...KEEPING, DOCTOR, BILLING].map(({ name }) => name),
  )
  for (const command of commands)
    expect(helpOf(command)).toContain(`Usage: npm run marquee -- ${command.name} [options]`)
  for (const name of ['keys rotate', BILLING.name]) {
    const { code, out } = await marquee(dataDir, ...name.split(' '), '--help')
    expect(code, name).toBe(0)
    expect(out, name).toContain(`Usage: npm run marquee -- ${name} [options]`)
  }
  discard(dataDir)
})

test('mistakes are told with what to do, on stderr, with exit code 1', async () => {
  const service = await serviceForTest()
  const cases: [string[], RegExp][] = [
    [['keys', 'frob'], /"keys frob" is not a command\. There is: keys list, keys create/],
    [['frob'], /"frob" is not a command\. See: npm run marquee -- --help/],
    [['keys', 'create'], /--project is missing\. See: npm run marquee -- keys create --help/],
    [['keys', 'list', '--frob'], /Unknown option '--frob'/],
    [['keys', 'revoke', '--key', 'key_x'], /there is no key key_x\. See: npm run marquee -- keys list/],
    [['keys', 'create', '--project', 'proj_x', '--name', 'n'], /there is no project proj_x/],
    [['organizations', 'create', '--name', 'x', '--plan', 'gold'], /--plan "gold" is not one of free, pro/],
    [['users', 'create', '--email', 'nobody'], /--email "nobody" is not an email address/],
    [['users', 'create', '--email', 'a@b.example', '--password', 'short'], /at least 10 characters/],
    [['tokens', 'create', '--email', 'no@where.example'], /no such user/],
    [
      ['tokens', 'create', '--email', 'a@b.example', '--lifetime', '0'],
      /not a whole number of seconds from 1 on/,
    ],
    [['tokens', 'create', '--email', 'a@b.example', '--lifetime', '-5'], /ambiguous/],
    [['users', 'create', '--email', 'Ünï@exämple.co'], /is not an email address/],
  ]
  for (const [args, message] of cases) {
    const { code, out, err } = await marquee(service.dataDir, ...args)
    expect({ code, out }, args.join(' ')).toEqual({ code: 1, out: '' })
    expect(err, args.join(' ')).toMatch(message)
    expect(err.trim().split('\n'), args.join(' ')).toHaveLength(1)
  }
  const empty = emptyDataDir()
  const { code, err } = await marqueeProgram(empty, 'keys', 'list')
  expect(code).toBe(1)
  expect(err).toMatch(/^marquee: there is no Marquee in .+ yet\. Start it once with npm start/)
  discard(empty)
})
