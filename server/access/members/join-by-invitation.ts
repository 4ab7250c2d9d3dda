import { newId } from '../../base/ids.ts'
import type { Transaction } from '../../platform/postgres/client.ts'
import { attachPolicy, findPolicies } from '../policies/store.ts'
import type { Invitation } from './schemas.ts'
import { insertMember } from './store.ts'

/** Turns an invitation, taken in the same transaction, into a membership with its policies. */
export async function joinByInvitation(
  tx: Transaction,
  invitation: Invitation,
  userId: string,
): Promise<void> {
  await insertMember(tx, invitation.org_id, userId, invitation.role)
  // A policy that was deleted in the meantime grants nothing any more.
  for (const policy of await findPolicies(tx, invitation.org_id, invitation.policy_ids))
    await attachPolicy(tx, {
      id: newId('attachment'),
      policyId: policy.id,
      orgId: invitation.org_id,
      to: { identity_type: 'POLICY_IDENTITY_TYPE_USER', identity_id: userId },
    })
}
