import {
  changePlan,
  createKey,
  createOrganization,
  createProject,
  deleteProject,
  installationSecret,
  issueToken,
  listKeys,
  listOrganizations,
  listProjects,
  revokeKey,
  rotateKey,
  tokenIssuer,
} from '../access/index.ts'
import { OPERATOR, PLANS } from '../base/caller.ts'
import { replayEvents } from '../billing/index.ts'
import type { Command, Option } from './command.ts'
import { jobCommands } from './job-commands.ts'
import { organizationNamed, theKey, theOrganization, theProject } from './lookups.ts'
import { purgeDepsOf, trashCommands } from './trash-commands.ts'
import { ACCOUNT_ORG, EMAIL, ORG, userCommands } from './user-commands.ts'
import { choice, name, wholeNumber } from './values.ts'

const PROJECT: Option = { about: 'The project', value: 'project_id', required: true }
const KEY: Option = { about: 'The key', value: 'key_id', required: true }
const NAME: Option = { about: 'Its name', value: 'name', required: true }
const EVERYTHING = { limit: 1_000_000, offset: 0 }

export const commands: Command[] = [
  {
    name: 'organizations list',
    about: 'List the organizations',
    options: {},
    run: ({ sql }) => listOrganizations(OPERATOR, sql),
  },
  {
    name: 'organizations create',
    about: 'Create an organization',
    options: { name: NAME, plan: { about: `One of ${PLANS.join(', ')}`, value: 'plan', fallback: 'free' } },
    run: ({ sql, option }) =>
      createOrganization(
        OPERATOR,
        { name: name(option('name')), plan: choice('plan', option('plan'), PLANS) },
        sql,
      ),
  },
  {
    name: 'organizations plan',
    about: 'Move an organization to another plan',
    options: { org: ORG, plan: { about: `One of ${PLANS.join(', ')}`, value: 'plan', required: true } },
    run: async ({ sql, option, optional }) =>
      changePlan(
        OPERATOR,
        await theOrganization(sql, optional('org')),
        choice('plan', option('plan'), PLANS),
        sql,
      ),
  },
  {
    name: 'projects list',
    about: 'List the projects of an organization',
    options: { org: ORG },
    run: async ({ sql, optional }) =>
      listProjects(OPERATOR, await theOrganization(sql, optional('org')), {}, sql),
  },
  {
    name: 'projects create',
    about: 'Create a project',
    options: { org: ORG, name: NAME },
    run: async ({ sql, option, optional }) =>
      createProject(
        OPERATOR,
        await theOrganization(sql, optional('org')),
        { name: name(option('name')) },
        { sql, regions: [] },
      ),
  },
  {
    name: 'projects delete',
    about: 'Delete a project with its keys and everything in it',
    options: {
      project: PROJECT,
      confirm: { about: 'The project’s name or id once more', value: 'name', required: true },
    },
    run: async (context) => {
      const { sql, option, trash } = context
      const scope = await theProject(sql, option('project'))
      const deps = { ...purgeDepsOf(context), trashSeconds: trash.seconds }
      await deleteProject(OPERATOR, scope, option('confirm'), deps)
      return { deleted: scope.projectId }
    },
  },
  ...userCommands,
  {
    name: 'keys list',
    about: 'List the API keys of an organization',
    options: { org: ORG },
    run: async ({ sql, optional }) =>
      (await listKeys(OPERATOR, await theOrganization(sql, optional('org')), EVERYTHING, sql)).api_keys,
  },
  {
    name: 'keys create',
    about: 'Create an API key; its secret is printed once',
    options: {
      project: PROJECT,
      name: NAME,
      kind: { about: 'sk (secret) or pk (publishable)', value: 'kind', fallback: 'sk' },
    },
    run: async ({ sql, option }) => {
      const { orgId, projectId: project_id } = await theProject(sql, option('project'))
      const kind = choice('kind', option('kind'), ['sk', 'pk'] as const)
      return createKey(OPERATOR, orgId, { project_id, name: name(option('name')), kind }, sql)
    },
  },
  {
    name: 'keys rotate',
    about: 'Give a key a new secret, printed once',
    options: {
      key: KEY,
      grace: { about: 'Seconds the old secret goes on working', value: 'seconds', fallback: '0' },
    },
    run: async ({ sql, option }) => {
      const key = await theKey(sql, option('key'))
      const graceSeconds = wholeNumber('grace', option('grace'))
      return rotateKey(OPERATOR, { ...key, graceSeconds }, sql)
    },
  },
  {
    name: 'keys revoke',
    about: 'Revoke a key, at once and everywhere',
    options: { key: KEY },
    run: async ({ sql, option }) => {
      const { orgId, keyId } = await theKey(sql, option('key'))
      await revokeKey(OPERATOR, orgId, keyId, sql)
      return { revoked: keyId }
    },
  },
  {
    name: 'tokens create',
    about: 'Make an access token for a user',
    options: {
      email: EMAIL,
      org: ACCOUNT_ORG,
      lifetime: { about: 'Seconds it works', value: 'seconds', fallback: '86400' },
    },
    run: async ({ sql, option, optional }) => {
      const lifetimeSeconds = wholeNumber('lifetime', option('lifetime'), 1)
      const issuer = tokenIssuer(await installationSecret(sql, 'token_signing'))
      const access_token = await issueToken(
        OPERATOR,
        { email: option('email'), orgId: organizationNamed(optional('org')), lifetimeSeconds },
        { sql, issuer },
      )
      return { access_token, expires_in: lifetimeSeconds }
    },
  },
  ...trashCommands,
  {
    name: 'billing replay',
    about: 'Do again what all stored billing events say, by today’s settings',
    options: {},
    run: ({ sql, billing }) => replayEvents(OPERATOR, { sql, ...billing }),
  },
  ...jobCommands,
]
