import { useState } from 'react'
import { Button, IconButton } from '../../components/button.tsx'
import { Editable } from '../../components/editable.tsx'
import { Section } from '../../components/section.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { formatTimecode, parseTimecode } from '../../timecode.ts'
import { words } from '../../words.ts'
import { isTaken, toTenth, withChapter, withoutChapter, withStart, withTitle } from './chapter-edits.ts'
import styles from './chapter-list.module.css'
import type { Playback } from './player.tsx'
import type { Chapter } from './queries.ts'

interface ChapterListProps {
  chapters: Chapter[]
  duration: number
  playback: Playback
  onChange?: ((chapters: Chapter[]) => void) | undefined
}

/** The chapters with their times and titles, each changed where it stands. */
export function ChapterList({ chapters, duration, playback, onChange }: ChapterListProps) {
  const notify = useNotify()
  /** Where the one begins that was just added: its title is typed next. */
  const [added, setAdded] = useState<number>()

  function add() {
    const start = toTenth(Math.min(playback.time(), duration - 0.1))
    if (isTaken(chapters, start)) return notify.done(words.video.chapterHere)
    setAdded(start)
    onChange?.(withChapter(chapters, words.video.newChapter(chapters.length + 1), start, duration))
  }

  function wrongStart(index: number, text: string): string | undefined {
    const start = parseTimecode(text)
    if (start === undefined) return words.video.chapterNoTime
    if (start >= duration) return words.video.chapterPastEnd(formatTimecode(duration))
    return isTaken(chapters, start, index) ? words.video.chapterHere : undefined
  }

  function remove(index: number) {
    const before = chapters
    onChange?.(withoutChapter(chapters, index, duration))
    notify.done(words.video.chapterRemoved(before[index]!.title), () => onChange?.(before))
  }

  return (
    <Section
      title={words.video.chapters}
      actions={
        onChange && (
          <Button icon="plus" onClick={add}>
            {words.video.addChapter}
          </Button>
        )
      }
    >
      {chapters.length === 0 && <p className={styles.soft}>{words.video.noChapters}</p>}
      <ol className={styles.chapters}>
        {chapters.map(({ title, start_time_sec: start }, i) => (
          <li key={start}>
            <IconButton
              icon="play"
              label={words.video.goToChapter(title)}
              onClick={() => playback.seek(start)}
            />
            {onChange ? (
              <>
                <Editable
                  kind="line"
                  label={words.video.chapterTime(i + 1)}
                  value={formatTimecode(start)}
                  isRequired
                  check={(text) => wrongStart(i, text)}
                  onSave={(text) => onChange(withStart(chapters, i, parseTimecode(text)!, duration))}
                />
                <Editable
                  kind="line"
                  label={words.video.chapterTitle(i + 1)}
                  value={title}
                  maxLength={200}
                  isRequired
                  isNew={added === start}
                  onSave={(text) => onChange(withTitle(chapters, i, text))}
                />
                <IconButton icon="trash" label={words.video.deleteChapter(title)} onClick={() => remove(i)} />
              </>
            ) : (
              <>
                <span>{formatTimecode(start)}</span>
                <span>{title}</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
