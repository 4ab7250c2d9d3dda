import { Fragment, type ReactNode } from 'react'
import styles from './facts.module.css'

interface Fact {
  name: string
  value: ReactNode
}

/** What is known of something: names on the left, values on the right. */
export function Facts({ facts }: { facts: Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(({ name, value }) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
