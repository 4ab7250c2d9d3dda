import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icons.tsx'
import styles from './menu.module.css'

interface PopupProps {
  trigger: ReactElement
  children: ReactNode
}

/** The menu itself, open from its first moment: it is loaded when somebody wants it. */
export function MenuPopup({ trigger, children }: PopupProps) {
  return (
    <Base.Root defaultOpen modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className={styles.positioner!}>
          <Base.Popup className={styles.menu!}>{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export interface ItemProps {
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

export interface SectionProps {
  label: string
  children: ReactNode
}

export function MenuSection({ label, children }: SectionProps) {
  return (
    <Base.Group className={styles.section!}>
      <Base.GroupLabel className={styles.label!}>{label}</Base.GroupLabel>
      {children}
    </Base.Group>
  )
}
