import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId } from 'react'
import { words } from '../words.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './form-dialog.module.css'
import { Problem } from './problem.tsx'

interface FormDialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** The word on the button that does it. */
  submit: string
  isDanger?: boolean
  isWide?: boolean
  /** It closes when this is done, and says what went wrong where it is not. */
  onSubmit: (form: FormData) => Promise<unknown>
  children: ReactNode
}

/** Asks for something, or whether something is meant, and does it. */
export function FormDialog({ isOpen, onClose, onSubmit, ...rest }: FormDialogProps) {
  const { title, submit, isDanger, isWide, children } = rest
  const formId = useId()
  const action = useMutation({ mutationFn: onSubmit })

  function close(): void {
    action.reset()
    onClose()
  }

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (!action.isPending) action.mutate(new FormData(event.currentTarget), { onSuccess: close })
  }

  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={close}
      isWide={isWide ?? false}
      isBusy={action.isPending}
      actions={
        <>
          <Button onClick={close} disabled={action.isPending}>
            {words.common.cancel}
          </Button>
          <Button
            type="submit"
            form={formId}
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={action.isPending}
          >
            {submit}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={send}>
        {children}
        <Problem error={action.error} />
      </form>
    </Dialog>
  )
}
