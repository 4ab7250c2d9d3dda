import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from '../../components/button.tsx'

interface OpenerProps extends Pick<ButtonProps, 'kind'> {
  label: string
  children: (isOpen: boolean, close: () => void) => ReactNode
}

/** A button that opens what has no place on the page. */
export function Opener({ label, kind, children }: OpenerProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button kind={kind} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {children(isOpen, () => setOpen(false))}
    </>
  )
}
