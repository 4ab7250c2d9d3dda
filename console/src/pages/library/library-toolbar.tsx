import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, type Ref, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Icon } from '../../components/icons.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { isPressed } from '../../shortcuts/shortcuts.ts'
import { UnderWay } from '../../under-way.tsx'
import { words } from '../../words.ts'
import { feedsQuery } from './feeds-query.ts'
import { CHOICES, FILTERS, type LibraryFilters } from './filters.ts'
import styles from './library-toolbar.module.css'
import { formatRange, isRanged, parseRange, type Ranged } from './ranges.ts'

const RangeDialog = lazy(() => import('./range-dialog.tsx').then((made) => ({ default: made.RangeDialog })))

interface LibraryToolbarProps {
  filters: LibraryFilters
  searchInput: Ref<HTMLInputElement>
  /** How many there are, or what can be done with those that are chosen. */
  children: ReactNode
  isSelecting: boolean
  /** Whether there may be videos and images to choose between. */
  hasKinds: boolean
}

/** What is looked for and in which order. While something is chosen, what can be done with it is in the filters' place. */
export function LibraryToolbar(props: LibraryToolbarProps) {
  const { filters, searchInput, children, isSelecting, hasKinds } = props
  const { search, change } = filters
  return (
    <div className={styles.toolbar}>
      <div className={styles.top}>
        <SearchField filters={filters} input={searchInput} />
        <Choice
          name="sort"
          value={search.sort ?? 'newest'}
          onChange={(sort) => change({ sort: sort === 'newest' ? undefined : sort })}
        />
      </div>
      <div className={styles.below}>
        <fieldset className={styles.filters} aria-label={words.library.filters} hidden={isSelecting}>
          {FILTERS.filter((name) => hasKinds || name !== 'kind').map((name) => (
            <Choice
              key={name}
              name={name}
              value={search[name] ?? ''}
              onChange={(value) => change({ [name]: value || undefined })}
            />
          ))}
          <FeedChoice filters={filters} />
          {filters.isFiltered && (
            <Button kind="quiet" onClick={filters.clear}>
              {words.library.clearFilters}
            </Button>
          )}
        </fieldset>
        {children}
      </div>
    </div>
  )
}

const PAUSE_MS = 250

/** Asks when somebody pauses, not with each letter. */
function SearchField({ filters, input }: { filters: LibraryFilters; input: Ref<HTMLInputElement> }) {
  const { search, change } = filters
  const [text, setText] = useState(search.q ?? '')
  const asked = search.q ?? ''
  const sent = useRef(asked)
  const latest = useRef(change)
  latest.current = change
  useEffect(() => {
    // The address was changed by somebody else: back, a link, or filters that were cleared.
    if (asked === sent.current) return
    sent.current = asked
    setText(asked)
  }, [asked])
  useEffect(() => {
    const wanted = text.trim()
    if (wanted === sent.current) return
    const timer = setTimeout(() => {
      sent.current = wanted
      latest.current({ q: wanted || undefined })
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label className={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        maxLength={200}
        value={text}
        placeholder={words.library.searchHint}
        aria-label={words.library.search}
        aria-keyshortcuts="/"
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (!isPressed(event, 'clearSearch')) return
          if (text) setText('')
          else event.currentTarget.blur()
        }}
      />
      <kbd>/</kbd>
    </label>
  )
}

/** Asks for a range; it is never what is chosen. */
const CUSTOM = 'custom'

interface ChoiceProps {
  name: keyof typeof CHOICES
  value: string
  onChange(value: string): void
}

function Choice({ name, value, onChange }: ChoiceProps) {
  const named = words.library[name] as Record<string, string>
  const [asked, setAsked] = useState<Ranged>()
  const range = isRanged(name) ? parseRange(name, value) : undefined
  return (
    <>
      <Select
        label={named.label!}
        value={value}
        isSet={name !== 'sort' && value !== ''}
        onChange={(chosen) => (chosen === CUSTOM && isRanged(name) ? setAsked(name) : onChange(chosen))}
      >
        {named.any && <option value="">{named.any}</option>}
        {range && <option value={value}>{formatRange(name as Ranged, range)}</option>}
        {Object.keys(CHOICES[name]).map((choice) => (
          <option key={choice} value={choice}>
            {named[choice]}
          </option>
        ))}
        {isRanged(name) && <option value={CUSTOM}>{words.library.range.custom}</option>}
      </Select>
      {asked && (
        <Suspense fallback={<UnderWay />}>
          <RangeDialog name={asked} value={value} onClose={() => setAsked(undefined)} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}

/** Only where there are feeds to choose from. */
function FeedChoice({ filters: { search, change } }: { filters: LibraryFilters }) {
  const { projectId } = useProject()
  const may = usePermission()
  const isAllowed = may('feeds:read') && may('posts:read')
  const { data: feeds = [] } = useQuery({ ...feedsQuery(projectId), enabled: isAllowed })
  const { feed = '' } = search
  if (!isAllowed || (feeds.length === 0 && !feed)) return null
  return (
    <Select
      label={words.library.feed.label}
      value={feed}
      isSet={feed !== ''}
      onChange={(value) => change({ feed: value || undefined })}
    >
      <option value="">{words.library.feed.any}</option>
      {feeds.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {feed && !feeds.some(({ id }) => id === feed) && <option value={feed}>{feed}</option>}
    </Select>
  )
}

interface SelectProps {
  label: string
  value: string
  isSet: boolean
  onChange(value: string): void
  children: ReactNode
}

function Select({ label, value, isSet, onChange, children }: SelectProps) {
  return (
    <span className={styles.select} data-set={isSet || undefined}>
      <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
      <Icon name="chevron" size={16} />
    </span>
  )
}
