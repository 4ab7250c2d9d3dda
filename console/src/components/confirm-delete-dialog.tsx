import { words } from '../words.ts'
import { FormDialog } from './form-dialog.tsx'

export interface ConfirmDeleteProps {
  title: string
  onClose: () => void
  onDelete: () => void
}

export function ConfirmDeleteDialog({ title, onClose, onDelete }: ConfirmDeleteProps) {
  return (
    <FormDialog
      title={title}
      submit={words.common.delete}
      isDanger
      isOpen
      onClose={onClose}
      onSubmit={async () => onDelete()}
    >
      <p>{words.media.goneText}</p>
    </FormDialog>
  )
}
