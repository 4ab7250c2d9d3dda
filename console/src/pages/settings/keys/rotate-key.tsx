import { FormDialog } from '../../../components/form-dialog.tsx'
import { Select } from '../../../components/select.tsx'
import { words } from '../../../words.ts'
import type { ApiKey } from '../queries.ts'
import { useOrganization } from '../use-organization.ts'

const text = words.settings.keys
const HOUR = 3600
const GRACE = [
  ['0', text.atOnce],
  [String(HOUR), text.inAnHour],
  [String(24 * HOUR), text.inDays(1)],
  [String(7 * 24 * HOUR), text.inDays(7)],
  [String(30 * 24 * HOUR), text.inDays(30)],
] as const

/** A new secret for a key, with a time in which both work. */
export function RotateKey({
  apiKey,
  onClose,
  onMade,
}: {
  apiKey: ApiKey | undefined
  onClose: () => void
  onMade: (key: ApiKey) => void
}) {
  const { client, orgId } = useOrganization()

  async function rotate(form: FormData): Promise<void> {
    if (!apiKey) return
    const { api_key } = await client.post('/organizations/{org_id}/api-keys/v1/{key_id}/rotate', {
      path: { org_id: orgId, key_id: apiKey.id },
      body: { grace_seconds: Number(form.get('grace')) },
    })
    onMade(api_key)
  }

  return (
    <FormDialog
      title={text.rotateTitle(apiKey?.name ?? '')}
      isOpen={!!apiKey}
      onClose={onClose}
      submit={text.rotateSubmit}
      onSubmit={rotate}
    >
      <p>{text.rotateText}</p>
      <Select label={text.grace} name="grace" defaultValue={String(24 * HOUR)} choices={GRACE} />
    </FormDialog>
  )
}
