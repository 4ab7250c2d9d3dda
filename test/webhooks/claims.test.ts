import { expect, test } from 'vitest'
import { claimDue } from '../../server/webhooks/dispatch-store.ts'
import { explainer } from '../support/explainer.ts'
import { composeForTest } from '../support/in-process.ts'

test('the first in line is found by the index of lines, also among many that nobody has counted yet', async () => {
  const { api, seed, sql } = await composeForTest()
  const made = await api.post(`/organizations/${seed.org_id}/webhooks/v1`, {
    project_id: seed.project_id,
    url: 'https://app.example/hook',
  })
  await sql`
    insert into webhook_messages (seq, id, told, org_id, project_id, kind, resource, data, happened_at)
    select n, 'msg_' || n, n, ${seed.org_id}, ${seed.project_id}, 'image.deleted', 'img_0_' || n, '{}', now()
    from generate_series(1, 10000) n`
  // Due tomorrow: the service leaves them alone.
  await sql`
    insert into webhook_deliveries (endpoint_id, seq, resource, due_at, give_up_at)
    select ${made.body.webhook.id as string}, seq, resource, now() + interval '1 day', now() + interval '3 days'
    from webhook_messages`
  const { sql: explaining, plans } = explainer(sql)
  await claimDue(explaining, { busy: [], mostOfEndpoint: 128, leaseSeconds: 30 })
  expect(plans).toHaveLength(1)
  const lookups = plans[0]!.match(/ Scan using (\w+) on webhook_deliveries b /g)
  expect(lookups).toEqual([' Scan using webhook_deliveries_in_line on webhook_deliveries b '])
})
