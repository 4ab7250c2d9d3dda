import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './menu.module.css'

/** A button, and what can be chosen by it. `trigger` is the button itself. */
export function Menu({ trigger, children }: { trigger: ReactElement; children: ReactNode }) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className={styles.positioner!}>
          <Base.Popup className={styles.menu!}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  icon?: IconName
  isDanger?: boolean
  isChosen?: boolean
  onSelect: () => void
  children: ReactNode
}

export function MenuItem({ icon, isDanger, isChosen, onSelect, children }: ItemProps) {
  return (
    <Base.Item className={styles.item!} data-danger={isDanger || undefined} onClick={onSelect}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {isChosen && <Icon name="check" />}
    </Base.Item>
  )
}

export function MenuSection({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Base.Group className={styles.section!}>
      <Base.GroupLabel className={styles.label!}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}
