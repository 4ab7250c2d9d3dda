import type { ComponentProps } from 'react'
import styles from './button.module.css'
import { Icon, type IconName } from './icons.tsx'

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet'
  icon?: IconName
  /** Shows that what it began is under way; it cannot be pressed meanwhile. */
  isBusy?: boolean
}

export function Button({ kind = 'plain', icon, isBusy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={[styles.button, styles[kind], className].filter(Boolean).join(' ')}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that is a picture alone; its label is read aloud and shown on hover. */
export function IconButton({
  label,
  icon,
  className,
  ...rest
}: Omit<ButtonProps, 'kind' | 'children' | 'isBusy'> & { label: string; icon: IconName }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={[styles.icon, className].filter(Boolean).join(' ')}
    >
      <Icon name={icon} />
    </button>
  )
}
