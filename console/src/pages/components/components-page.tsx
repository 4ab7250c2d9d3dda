import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { words } from '../../words.ts'
import styles from './components-page.module.css'
import { SampleData } from './sample-data.tsx'
import { SPECIMENS } from './specimens.tsx'
import { Tokens } from './tokens.tsx'

const text = words.gallery
const THEMES = ['', 'light', 'dark', 'both'] as const

/** Every component of the console in each of its states, and what they are made of, in either theme or in both. */
export function ComponentsPage() {
  const search = useSearch({ strict: false }) as { theme?: string }
  const navigate = useNavigate()
  const chosen = THEMES.find((one) => one === search.theme) ?? ''
  const shown = chosen === 'both' ? (['light', 'dark'] as const) : [chosen]
  return (
    <Page
      title={text.title}
      actions={
        <Select
          label={words.nav.theme}
          value={chosen}
          onChange={({ target }) =>
            void navigate({ to: '.', search: { theme: target.value || undefined } as never, replace: true })
          }
          choices={THEMES.map((one) => [one, text.themes[one]] as const)}
        />
      }
    >
      <p className={styles.lead}>{text.lead}</p>
      <SampleData>
        <div className={styles.themes} data-both={chosen === 'both' || undefined}>
          {shown.map((theme) => (
            <div key={theme} className={styles.theme} data-theme={theme || undefined}>
              <Tokens />
              {SPECIMENS.map(({ name, states }) => (
                <section key={name} className={styles.specimen} aria-label={name}>
                  <h2>{name}</h2>
                  {states.map(({ state, shown }) => (
                    <div key={state} className={styles.state}>
                      <p className={styles.name}>{state}</p>
                      <div className={styles.shown}>{shown}</div>
                    </div>
                  ))}
                </section>
              ))}
            </div>
          ))}
        </div>
      </SampleData>
    </Page>
  )
}
