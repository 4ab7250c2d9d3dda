import { type ComponentType, lazy } from 'react'

interface SettingsSection {
  id: SectionId
  /** Without it the section is not shown; everybody sees those that need none. */
  permission?: string
  component: ComponentType
}

export type SectionId =
  | 'keys'
  | 'members'
  | 'policies'
  | 'projects'
  | 'webhooks'
  | 'signing-keys'
  | 'plan'
  | 'billing'
  | 'requests'
  | 'audit'
  | 'account'

/** The sections of the settings in their order. Each is loaded when it is looked at. */
export const SECTIONS: SettingsSection[] = [
  {
    id: 'keys',
    permission: 'keys:read',
    component: lazy(async () => ({ default: (await import('./keys/keys-section.tsx')).KeysSection })),
  },
  {
    id: 'members',
    permission: 'members:read',
    component: lazy(async () => ({
      default: (await import('./members/members-section.tsx')).MembersSection,
    })),
  },
  {
    id: 'policies',
    permission: 'policies:read',
    component: lazy(async () => ({
      default: (await import('./policies/policies-section.tsx')).PoliciesSection,
    })),
  },
  {
    id: 'projects',
    permission: 'projects:read',
    component: lazy(async () => ({
      default: (await import('./projects/projects-section.tsx')).ProjectsSection,
    })),
  },
  {
    id: 'webhooks',
    permission: 'projects:read',
    component: lazy(async () => ({
      default: (await import('./webhooks/webhooks-section.tsx')).WebhooksSection,
    })),
  },
  {
    id: 'signing-keys',
    permission: 'projects:read',
    component: lazy(async () => ({
      default: (await import('./signing-keys/signing-keys-section.tsx')).SigningKeysSection,
    })),
  },
  {
    id: 'plan',
    permission: 'billing:read',
    component: lazy(async () => ({ default: (await import('./plan/plan-section.tsx')).PlanSection })),
  },
  {
    id: 'billing',
    permission: 'billing:read',
    component: lazy(async () => ({
      default: (await import('./billing-events/billing-events-section.tsx')).BillingEventsSection,
    })),
  },
  {
    id: 'requests',
    permission: 'keys:read',
    component: lazy(async () => ({
      default: (await import('./requests/requests-section.tsx')).RequestsSection,
    })),
  },
  {
    id: 'audit',
    permission: 'members:read',
    component: lazy(async () => ({ default: (await import('./audit/audit-section.tsx')).AuditSection })),
  },
  {
    id: 'account',
    component: lazy(async () => ({
      default: (await import('./account/account-section.tsx')).AccountSection,
    })),
  },
]
