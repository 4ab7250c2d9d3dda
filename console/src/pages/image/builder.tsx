import { useQueries } from '@tanstack/react-query'
import { messageOf } from '../../api.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Field } from '../../components/field.tsx'
import { RequestId } from '../../components/request-id.tsx'
import { Section } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { formatBytes, formatShare } from '../../format.ts'
import { opened } from '../../session/use-opened.ts'
import { words } from '../../words.ts'
import styles from './builder.module.css'
import { useAddresses, type useSigning } from './signing.ts'
import { FORMATS, type Format, type Gravity, type Wish, weightQuery } from './variant.ts'

const FITS = Object.entries(words.image.fits)
const GRAVITIES = Object.entries(words.image.gravities)
const CHOICES = (['auto', ...FORMATS] as const).map(
  (format) => [format, words.image.formats[format]] as const,
)

/** What private media needs to be seen. */
interface Opening {
  isOpen: boolean
  token: string | undefined
}

interface BuilderProps {
  url: string
  opening: Opening
  signing: ReturnType<typeof useSigning>
  wish: Wish
  /** The same, once nobody types any more. */
  asked: Wish
  /** What the whole picture weighs. */
  whole: number
  onChange: (wish: Wish) => void
}

/** Sizes and formats by an address: it is built here, and what it answers is shown beside it. */
export function Builder({ url, opening, signing, wish, asked, whole, onChange }: BuilderProps) {
  const set = (change: Wish) => onChange({ ...wish, ...change })
  const [address] = useAddresses(url, [wish], signing)
  return (
    <Section title={words.image.builder}>
      <div className={styles.builder}>
        {signing.isLimited ? (
          <Widths widths={signing.widths} wish={wish} onChange={set} />
        ) : (
          <Measures wish={wish} onChange={set} />
        )}
        <div className={styles.wide}>
          <Select
            label={words.image.format}
            choices={CHOICES}
            value={wish.format ?? 'auto'}
            onChange={({ target }) =>
              set({ format: target.value === 'auto' ? undefined : (target.value as Format) })
            }
          />
        </div>
      </div>
      <div className={styles.address}>
        <code>{address}</code>
        {address && <CopyButton text={address} />}
      </div>
      <FormatTable
        url={url}
        opening={opening}
        signing={signing}
        wish={asked}
        whole={whole}
        onChoose={(format) => set({ format })}
      />
    </Section>
  )
}

interface ChoiceProps {
  wish: Wish
  onChange: (change: Wish) => void
}

/** Any size, and how it is made. */
function Measures({ wish, onChange: set }: ChoiceProps) {
  const number = (text: string) => (text === '' ? undefined : Math.round(Number(text)))
  return (
    <>
      <Field
        label={words.image.width}
        type="number"
        min={1}
        max={8192}
        placeholder={words.image.whole}
        value={wish.w ?? ''}
        onChange={({ target }) => set({ w: number(target.value) })}
      />
      <Field
        label={words.image.height}
        type="number"
        min={1}
        max={8192}
        placeholder={words.image.whole}
        value={wish.h ?? ''}
        onChange={({ target }) => set({ h: number(target.value) })}
      />
      <Select
        label={words.image.fit}
        choices={FITS}
        value={wish.fit ?? 'contain'}
        disabled={!wish.w || !wish.h}
        onChange={({ target }) =>
          set({ fit: target.value === 'contain' ? undefined : (target.value as 'cover' | 'fill') })
        }
      />
      <Field
        label={words.image.quality}
        type="number"
        min={1}
        max={100}
        placeholder={words.image.usual}
        value={wish.q ?? ''}
        onChange={({ target }) => set({ q: number(target.value) })}
      />
      {wish.fit === 'cover' && wish.w && wish.h && (
        <div className={styles.wide}>
          <Select
            label={words.image.gravity}
            choices={GRAVITIES}
            value={wish.gravity ?? 'auto'}
            onChange={({ target }) =>
              set({ gravity: target.value === 'auto' ? undefined : (target.value as Gravity) })
            }
          />
        </div>
      )}
    </>
  )
}

/** The few widths that can be had where sizes have to be signed and whoever looks cannot do that. */
function Widths({ widths = [], wish, onChange }: ChoiceProps & { widths: readonly number[] | undefined }) {
  const choices = widths.map((width) => [String(width), String(width)] as const)
  return (
    <div className={styles.wide}>
      <Select
        label={words.image.width}
        hint={words.image.signedHint}
        choices={[['', words.image.whole], ...choices]}
        value={wish.w ?? ''}
        onChange={({ target }) => onChange({ w: target.value === '' ? undefined : Number(target.value) })}
      />
    </div>
  )
}

interface FormatTableProps {
  url: string
  opening: Opening
  signing: ReturnType<typeof useSigning>
  wish: Wish
  whole: number
  onChoose: (format: Format) => void
}

/** The same size in each format, and what it weighs. */
function FormatTable({ url, opening, signing, wish, whole, onChoose }: FormatTableProps) {
  const wishes = FORMATS.map((format) => ({ ...wish, format }))
  const weights = useQueries({
    queries: useAddresses(url, wishes, signing).map((address) => ({
      ...weightQuery(address ? opened(address, opening.token) : ''),
      enabled: opening.isOpen && address !== undefined,
    })),
  })
  const heaviest = Math.max(1, ...weights.map(({ data = 0 }) => data))
  return (
    <table className={styles.formats}>
      <thead>
        <tr>
          <th scope="col">{words.image.format}</th>
          <th scope="col">{words.image.weight}</th>
          <th scope="col">{words.image.ofTheWhole}</th>
        </tr>
      </thead>
      <tbody>
        {FORMATS.map((format, i) => {
          const { data: bytes, error } = weights[i]!
          return (
            <tr key={format} aria-current={wish.format === format || undefined}>
              <th scope="row">
                <button
                  type="button"
                  aria-label={words.image.useFormat(words.image.formats[format])}
                  onClick={() => onChoose(format)}
                >
                  {words.image.formats[format]}
                </button>
              </th>
              <td>
                {bytes !== undefined && (
                  <>
                    <span className={styles.bar} style={{ width: `${(bytes / heaviest) * 64}px` }} />
                    {formatBytes(bytes)}
                  </>
                )}
                {bytes === undefined && !error && <Skeleton width="100%" height="16px" />}
                {error && messageOf(error)}
                <RequestId error={error} />
              </td>
              <td>{bytes !== undefined && formatShare(bytes / whole)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
