import { StartupError } from '../../base/errors.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { type Check, type Finding, lookInto } from './check.ts'
import { engineChecks } from './engine-checks.ts'
import { machineChecks } from './machine-checks.ts'

export type Examined = Finding & { name: string }

/** Looks into everything that can be looked into; what is wrong with one thing keeps nobody from looking at the next. */
export async function examine(
  env: NodeJS.ProcessEnv,
  baseUrlOf: (config: Config) => string,
): Promise<Examined[]> {
  let config: Config
  try {
    config = loadConfig(env)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [
      {
        name: 'settings',
        state: 'fail',
        found: error.message,
        todo: 'Settings are explained in docs/configuration.md',
      },
    ]
  }
  const findings: Examined[] = [{ name: 'settings', state: 'ok', found: `roles ${config.roles.join(', ')}` }]
  const checks: Check[] = [...machineChecks(config), ...engineChecks(config, baseUrlOf(config))]
  // One after another: a database that is started for this is not shared with anybody.
  for (const check of checks) findings.push(await lookInto(check))
  return findings
}
