import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { CopyButton } from '../../components/copy-button.tsx'
import { words } from '../../words.ts'
import styles from './code.module.css'
import { LANGUAGES, type Language } from './snippets.ts'

interface CodeProps {
  /** Of what it is the code. */
  label: string
  language: Language
  onLanguage: (language: Language) => void
  code: Record<Language, string>
  /** A sentence on each. */
  about: Record<Language, string>
  /** What is to be seen by its colour: keys that were filled in, and what stands for those that were not. */
  marked: string[]
  /** In the place of code that there is none of yet. */
  missing: ReactNode
}

/** The same in several languages, to copy. */
export function Code({ label, language, onLanguage, code, about, marked, missing }: CodeProps) {
  return (
    <Tabs.Root value={language} onValueChange={onLanguage}>
      <div className={styles.head}>
        <Tabs.List className={styles.tabs!} aria-label={`${words.start.code}: ${label}`} activateOnFocus>
          {LANGUAGES.map((one) => (
            <Tabs.Tab key={one} value={one} className={styles.tab!}>
              {words.start.languages[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {code[language] && <CopyButton text={code[language]} />}
      </div>
      {LANGUAGES.map((one) => (
        <Tabs.Panel key={one} value={one} className={styles.panel!} tabIndex={-1}>
          {code[one] ? (
            <>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by keys. */}
              <pre tabIndex={0} data-language={one}>
                <code>{withMarks(code[one], marked)}</code>
              </pre>
              <p className={styles.about}>{about[one]}</p>
            </>
          ) : (
            missing
          )}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

function withMarks(text: string, marked: string[]): ReactNode[] {
  const pattern = new RegExp(`(${marked.map((one) => one.replace(/\W/g, '\\$&')).join('|')})`)
  return text.split(pattern).map((part, i) =>
    marked.includes(part) ? (
      <mark key={i} data-placeholder={part.startsWith('YOUR_') || undefined}>
        {part}
      </mark>
    ) : (
      part
    ),
  )
}
