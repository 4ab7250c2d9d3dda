import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useRef, useState } from 'react'
import { messageOf } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field } from '../../components/field.tsx'
import { RequestId } from '../../components/request-id.tsx'
import { Select } from '../../components/select.tsx'
import { words } from '../../words.ts'
import type { Playback } from './player.tsx'
import { languagesQuery, type TrackKind } from './queries.ts'
import { useTracks } from './use-tracks.ts'
import { useVideo } from './use-video.ts'

const ACCEPTED = {
  subtitles: { types: '.srt,.vtt', hint: words.video.subtitleHint },
  'audio-tracks': { types: '.mp3,.opus,.flac,.wav,.ac3,.m4a,.aac', hint: words.video.audioHint },
}

interface AddTrackProps {
  kind: TrackKind
  title: string
  playback: Playback
  onClose: () => void
}

/** A file, its language, and the name that players show. */
export function AddTrack({ kind, title, playback, onClose }: AddTrackProps) {
  const { of } = useVideo()
  const { data: languages = [] } = useQuery(languagesQuery(of))
  const { add } = useTracks(kind, playback)
  const formId = useId()
  const [chosen, setChosen] = useState('en')
  const [code, setCode] = useState('')
  const [label, setLabel] = useState<string>()
  const [file, setFile] = useState<File>()
  const isOther = chosen === ''
  const language = isOther ? code.trim() : chosen
  const shownLabel = label ?? languages.find((one) => one.code === language)?.name ?? language
  const stopping = useRef<AbortController>(undefined)
  const sending = useMutation({
    mutationFn: (picked: File) => {
      stopping.current = new AbortController()
      const { signal } = stopping.current
      return add({
        language,
        label: shownLabel.trim() || language,
        file: picked,
        fileName: picked.name,
        signal,
      })
    },
    onSuccess: onClose,
  })
  /** A long file may be sent for minutes. */
  function cancel() {
    stopping.current?.abort()
    onClose()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    if (file && language) sending.mutate(file)
  }
  const { types, hint } = ACCEPTED[kind]
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isBusy={sending.isPending}
      actions={
        <>
          <Button onClick={cancel}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={sending.isPending}>
            {sending.isPending ? words.video.sending : words.video.add}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} style={{ display: 'contents' }}>
        <Field
          type="file"
          label={words.video.file}
          hint={hint}
          accept={types}
          required
          error={sending.error ? messageOf(sending.error) : undefined}
          onChange={({ target }) => {
            setFile(target.files?.[0])
            sending.reset()
          }}
        />
        <RequestId error={sending.error} />
        <Select
          label={words.video.language}
          choices={[
            ...languages.map((one) => [one.code, one.name] as const),
            ['', words.video.otherLanguage],
          ]}
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
        />
        {isOther && (
          <Field
            label={words.video.languageCode}
            hint={words.video.languageHint}
            value={code}
            required
            onChange={({ target }) => setCode(target.value)}
          />
        )}
        <Field
          label={words.video.label}
          hint={words.video.labelHint}
          value={shownLabel}
          onChange={({ target }) => setLabel(target.value)}
        />
      </form>
    </Dialog>
  )
}
