import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { composeForTest } from '../support/in-process.ts'
import { needs } from '../support/needs.ts'
import { root } from '../support/service.ts'

const deploy = path.join(root, 'deploy')
const read = (name: string) => readFileSync(path.join(deploy, name), 'utf8')

interface Container {
  image: string
  ports: { name: string; containerPort: number }[]
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } }
}

interface Manifest {
  kind: string
  spec: {
    serviceName?: string
    selector: Record<string, string> & { matchLabels?: Record<string, string> }
    template?: {
      metadata: { labels: Record<string, string> }
      spec: { securityContext: { runAsUser: number }; containers: Container[] }
    }
  }
}

function documentsIn(name: string): unknown[] {
  return parseAllDocuments(read(name), { merge: true }).map((document) => {
    expect(document.errors, name).toEqual([])
    return document.toJS()
  })
}

test('every setting that is named in files for deployment is one of the service', () => {
  const known = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8')
  const files = globSync('**/*', { cwd: deploy }).filter((name) => /\.\w+$|Dockerfile/.test(name))
  const named = files.flatMap((name) => read(name).match(/MARQUEE_[A-Z0-9_]+/g) ?? [])
  expect(named.length).toBeGreaterThan(20)
  for (const name of new Set(named)) expect(known, name).toContain(`| \`${name}\` |`)
})

test('manifests for Kubernetes choose the pods that they describe, as the account of the image, and probe what answers', async () => {
  const { url } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const [, uid] = /^USER (\d+)/m.exec(read('docker/Dockerfile'))!
  const [, port] = /^EXPOSE (\d+)/m.exec(read('docker/Dockerfile'))!
  const manifests = documentsIn('kubernetes/marquee.yaml') as Manifest[]
  const labels = manifests.flatMap(({ spec }) => (spec.template ? [spec.template.metadata.labels] : []))
  expect(labels).toHaveLength(2)
  for (const { kind, spec } of manifests) {
    const chosen = Object.entries(spec.selector.matchLabels ?? spec.selector)
    const isChosen = labels.some((pod) => chosen.every(([name, value]) => pod[name] === value))
    expect(isChosen, kind).toBe(true)
    for (const container of spec.template?.spec.containers ?? []) {
      expect(container.ports).toEqual([{ name: 'http', containerPort: Number(port) }])
      const probes = Object.entries(container).filter(([name]) => name.endsWith('Probe'))
      expect(probes.length).toBeGreaterThan(1)
      for (const [, probe] of probes) {
        const { httpGet } = probe as Container[`${string}Probe`]
        expect((await fetch(url + httpGet.path)).status).toBe(200)
        expect(httpGet.port).toBe('http')
      }
      expect(spec.template!.spec.securityContext.runAsUser).toBe(Number(uid))
    }
  }
})

test.each(['docker/compose.yaml', 'docker/compose.engines.yaml'])(
  '%s builds the image, and has every volume',
  (name) => {
    const [file] = documentsIn(name) as [
      {
        services: Record<string, { build?: { context: string; dockerfile: string }; volumes?: string[] }>
        volumes: Record<string, unknown>
      },
    ]
    const services = Object.values(file.services)
    expect(services.some(({ build }) => build)).toBe(true)
    for (const { build, volumes = [] } of services) {
      for (const volume of volumes) expect(Object.keys(file.volumes)).toContain(volume.split(':')[0])
      if (build)
        expect(existsSync(path.resolve(deploy, path.dirname(name), build.context, build.dockerfile))).toBe(
          true,
        )
    }
  },
)

interface Composed {
  services: Record<string, { environment?: Record<string, string>; ports?: string[]; configs?: object[] }>
  configs: { haproxy: { content: string } }
}

test('of the engines’ file the proxy alone is reached, and sends to each process that answers while it is ready', async () => {
  const [{ services, configs }] = documentsIn('docker/compose.engines.yaml') as [Composed]
  const answering = Object.keys(services).filter(
    (name) => services[name]!.environment?.MARQUEE_ROLES === 'api',
  )
  expect(answering.length).toBeGreaterThan(1)
  const published = Object.entries(services).filter(([, { ports }]) => ports)
  expect(published.map(([name]) => name)).toEqual(['proxy'])
  const [, base] = /BASE_URL:-([^}]+)/.exec(services[answering[0]!]!.environment!.MARQUEE_BASE_URL!)!
  expect(services.proxy!.ports).toEqual([`127.0.0.1:${new URL(base!).port}:8080`])

  const configuration = configs.haproxy.content
  const servers = [...configuration.matchAll(/^ *server \S+ (\S+):8080$/gm)].map(([, name]) => name)
  expect(servers).toEqual(answering)
  const { url } = await composeForTest({ env: { MARQUEE_ROLES: 'api' } })
  const [, asked] = /httpchk GET (\S+)/.exec(configuration)!
  expect((await fetch(url + asked)).status).toBe(200)
  // What the page has of it is in there.
  const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8')
  const [, shown] = /```\nbackend api\n([\s\S]*?)```/.exec(page)!
  const lines = shown!.split('\n').filter((line) => line.trim() && !/^ *server /.test(line))
  expect(lines.length).toBeGreaterThan(3)
  for (const line of lines) expect(configuration).toContain(line.trim())
})

const PATH = `${process.env.PATH}:/usr/sbin`
const hasHaproxy = needs('haproxy', spawnSync('haproxy', ['-v'], { env: { PATH } }).status === 0)

test.skipIf(!hasHaproxy)('the proxy’s configuration is one that haproxy takes', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-haproxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [{ configs }] = documentsIn('docker/compose.engines.yaml') as [Composed]
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, configs.haproxy.content)
  const { status, stderr } = spawnSync('haproxy', ['-c', '-f', file], { env: { PATH }, encoding: 'utf8' })
  // Names are found in the network of the containers, and not here.
  const said = stderr.split('\n').filter((line) => /ALERT|WARNING/.test(line))
  expect(said.filter((line) => !line.includes('could not resolve address'))).toEqual([])
  expect(status, stderr).toBe(0)
})

const hasSystemd = needs(
  'systemd-analyze (systemd)',
  spawnSync('systemd-analyze', ['--version']).status === 0,
)

test.skipIf(!hasSystemd)('the unit is one that systemd takes', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'marquee-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'marquee.service')
  // The account is made by whoever installs it.
  const unit = read('systemd/marquee.service')
    .replaceAll('/opt/marquee', root)
    .replace('User=marquee', 'User=root')
  writeFileSync(file, unit)
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes('marquee.service'))).toEqual([])
  expect(status).toBe(0)
  // systemd's own measure of what a service could do, 0 to 100: namespaces, for untrusted media, are most of what is left.
  const exposure = ['security', '--offline=true', '--no-pager', '--threshold=40', file]
  expect(spawnSync('systemd-analyze', exposure, { encoding: 'utf8' }).status).toBe(0)
})
