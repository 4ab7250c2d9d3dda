import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { usePermission, useProject } from '../../session/use-project.ts'
import { pickFiles } from '../../uploads/pick-files.ts'
import { uploadFiles } from '../../uploads/upload-manager.ts'
import { useUploads } from '../../uploads/upload-store.ts'
import { words } from '../../words.ts'
import { Code } from './code.tsx'
import { KeyLine } from './key-line.tsx'
import { MediaLink } from './media-link.tsx'
import { isStarted, type StepId, setStarted } from './progress.ts'
import { PublishNewest } from './publish-newest.tsx'
import { LANGUAGES, type Language, PLACEHOLDERS, snippetsOf } from './snippets.ts'
import styles from './start-page.module.css'
import { Step } from './step.tsx'
import { lastFailed, UploadFailure } from './upload-failure.tsx'
import { useKeys } from './use-keys.ts'
import { useProgress } from './use-progress.ts'

const text = words.start
/** Whoever uploads has a terminal, and whoever embeds has a page. */
const USUAL: Record<StepId, Language> = { upload: 'curl', embed: 'html', count: 'html' }

/** Three steps from nothing to a video that is watched and counted, with code that works as it is. */
export function StartPage() {
  const { projectId } = useProject()
  const may = usePermission()
  const keys = useKeys()
  const progress = useProgress()
  const [languages, choose] = useLanguages()
  const { newest, published } = progress
  const failed = lastFailed(useUploads(), projectId)
  const secretKey = keys.made.sk ?? PLACEHOLDERS.sk
  const publishableKey = keys.made.pk ?? PLACEHOLDERS.pk
  const code = snippetsOf({ origin: location.origin, secretKey, publishableKey, newest, published })
  const codeOf = (id: StepId) => ({
    label: text.steps[id].title,
    language: languages[id],
    onLanguage: (language: Language) => choose(id, language),
    code: code[id],
    about: text.steps[id].about,
    marked: [secretKey, publishableKey],
  })
  const publish = <PublishNewest newest={newest} published={published} onPublished={progress.refresh} />
  const needsSecret = (id: StepId) => languages[id] !== 'html'

  return (
    <Page title={text.title}>
      <div className={styles.lead}>
        <p>{text.lead}</p>
        <Progress states={progress.states} />
      </div>
      <ol className={styles.steps}>
        <Step
          id="upload"
          number={1}
          state={progress.states.upload}
          error={progress.errors.upload}
          failure={(failed || progress.broken) && <UploadFailure upload={failed} broken={progress.broken} />}
          result={
            newest && (
              <MediaLink projectId={projectId} media={newest}>
                {newest.name}
              </MediaLink>
            )
          }
        >
          {(may('videos:write') || may('images:write')) && (
            <Button icon="upload" onClick={() => pickFiles((files) => uploadFiles(projectId, files))}>
              {text.steps.upload.choose}
            </Button>
          )}
          {needsSecret('upload') && <KeyLine kind="sk" keys={keys} />}
          <Code {...codeOf('upload')} missing={null} />
        </Step>
        <Step
          id="embed"
          number={2}
          state={progress.states.embed}
          error={progress.errors.embed}
          result={
            published.post && (
              <a
                href={`/embed/${published.post.feedId}/${published.post.id}`}
                target="_blank"
                rel="noreferrer"
              >
                {text.steps.embed.look}
              </a>
            )
          }
        >
          {needsSecret('embed') && <KeyLine kind="sk" keys={keys} />}
          <Code
            {...codeOf('embed')}
            missing={
              <div className={styles.missing}>
                <p>{newest ? text.steps.embed.needsPost : text.steps.embed.needsMedia}</p>
                {publish}
              </div>
            }
          />
        </Step>
        <Step
          id="count"
          number={3}
          state={progress.states.count}
          error={progress.errors.count}
          result={
            <Link to="/$projectId/analytics" params={{ projectId }}>
              {text.steps.count.look}
            </Link>
          }
        >
          <KeyLine kind="pk" keys={keys} />
          <Code
            {...codeOf('count')}
            missing={
              <div className={styles.missing}>
                <p>{text.steps.count.needsPost}</p>
              </div>
            }
          />
        </Step>
      </ol>
      <Leave areAllDone={Object.values(progress.states).every((state) => state === 'done')} />
    </Page>
  )
}

function Progress({ states }: { states: ReturnType<typeof useProgress>['states'] }) {
  const all = Object.values(states)
  const done = all.filter((state) => state === 'done').length
  return (
    <p className={styles.progress} role="status">
      {all.includes('loading') ? '' : text.progress(done, all.length)}
    </p>
  )
}

/** The way on, and for those who want none of this, the way past it. */
function Leave({ areAllDone }: { areAllDone: boolean }) {
  const { projectId } = useProject()
  const notify = useNotify()
  const navigate = useNavigate()
  const toLibrary = () => void navigate({ to: '/$projectId/library', params: { projectId } })
  if (areAllDone)
    return (
      <div className={styles.leave}>
        <p>{text.allDone}</p>
        <Button kind="primary" onClick={toLibrary}>
          {text.toLibrary}
        </Button>
      </div>
    )
  if (isStarted(projectId)) return null
  return (
    <div className={styles.leave}>
      <Button
        kind="quiet"
        onClick={() => {
          setStarted(projectId)
          notify.done(text.skipped)
          toLibrary()
        }}
      >
        {text.skip}
      </Button>
    </div>
  )
}

/** The language of each step is in the address. */
function useLanguages(): [Record<StepId, Language>, (id: StepId, language: Language) => void] {
  const search = useSearch({ strict: false }) as Record<string, unknown>
  const navigate = useNavigate()
  const chosen = (id: StepId) => LANGUAGES.find((one) => one === search[id]) ?? USUAL[id]
  return [
    { upload: chosen('upload'), embed: chosen('embed'), count: chosen('count') },
    (id, language) =>
      void navigate({
        to: '.',
        search: { ...search, [id]: language === USUAL[id] ? undefined : language } as never,
        replace: true,
        resetScroll: false,
      }),
  ]
}
