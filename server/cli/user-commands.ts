import {
  changePassword,
  createUser,
  listUsers,
  makeResetLink,
  makeSignInLink,
  proveAddress,
} from '../access/index.ts'
import { OPERATOR } from '../base/caller.ts'
import type { Command, Option } from './command.ts'
import { organizationNamed, theOrganization } from './lookups.ts'
import { choice, email, newPassword } from './values.ts'

export const ORG: Option = {
  about: 'The organization; may be left out where there is only one',
  value: 'org_id',
}
export const EMAIL: Option = { about: 'The user’s address', value: 'email', required: true }
export const ACCOUNT_ORG: Option = {
  about: 'The organization, where accounts of several have this address and none is proved',
  value: 'org_id',
}
const PASSWORD: Option = {
  about: 'At least 10 characters; one is made where it is left out',
  value: 'password',
}

/** What can be done about people’s accounts. */
export const userCommands: Command[] = [
  {
    name: 'users list',
    about: 'List the users with their organizations',
    options: {},
    run: ({ sql }) => listUsers(OPERATOR, sql),
  },
  {
    name: 'users create',
    about: 'Create a user as a member of an organization',
    options: {
      email: EMAIL,
      password: PASSWORD,
      org: ORG,
      role: { about: 'owner or member', value: 'role', fallback: 'member' },
    },
    run: async ({ sql, option, optional }) => {
      const password = optional('password') ?? newPassword()
      const role = choice('role', option('role'), ['owner', 'member'] as const)
      const orgId = await theOrganization(sql, optional('org'))
      const user = await createUser(OPERATOR, { email: email(option('email')), password, orgId, role }, sql)
      return { ...user, org_id: orgId, role, password }
    },
  },
  {
    name: 'users password',
    about: 'Give a user a new password and end their sign-ins',
    options: { email: EMAIL, password: PASSWORD, org: ACCOUNT_ORG },
    run: async ({ sql, option, optional }) => {
      const password = optional('password') ?? newPassword()
      await changePassword(
        OPERATOR,
        { email: option('email'), password, orgId: organizationNamed(optional('org')) },
        sql,
      )
      return { email: option('email'), password }
    },
  },
  {
    name: 'users sign-in-link',
    about: 'Make a link that signs a user in once, within an hour',
    options: { email: EMAIL, org: ACCOUNT_ORG },
    run: ({ sql, baseUrl, option, optional }) =>
      makeSignInLink(
        OPERATOR,
        { email: option('email'), orgId: organizationNamed(optional('org')) },
        { sql, baseUrl },
      ),
  },
  {
    name: 'users reset-link',
    about: 'Make a link that lets a user set a new password once, within an hour',
    options: { email: EMAIL, org: ACCOUNT_ORG },
    run: ({ sql, baseUrl, option, optional }) =>
      makeResetLink(
        OPERATOR,
        { email: option('email'), orgId: organizationNamed(optional('org')) },
        { sql, baseUrl },
      ),
  },
  {
    name: 'users prove',
    about: 'Vouch that an account’s address is its holder’s: it may then join other organizations',
    options: { email: EMAIL, org: ACCOUNT_ORG },
    run: ({ sql, option, optional }) =>
      proveAddress(
        OPERATOR,
        { email: option('email').toLowerCase(), orgId: organizationNamed(optional('org')) },
        sql,
      ),
  },
]
