import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { words } from '../../words.ts'
import type { Feed } from './queries.ts'

const text = words.feeds

/** What is asked about a feed, new or old. */
export function FeedForm({ feed }: { feed?: Feed | undefined }) {
  return (
    <>
      <Field label={text.name} name="name" defaultValue={feed?.name} required maxLength={255} autoFocus />
      <TextArea
        label={text.description}
        name="description"
        defaultValue={feed?.description}
        maxLength={2000}
      />
      <CheckboxGroup label={text.shows}>
        <Checkbox label={text.videos} name="allow_videos" defaultChecked={feed?.allow_videos ?? true} />
        <Checkbox label={text.images} name="allow_images" defaultChecked={feed?.allow_images ?? true} />
      </CheckboxGroup>
      <Select
        label={text.visibility}
        name="visibility"
        hint={text.visibilityHint}
        defaultValue={feed?.visibility ?? 'private'}
        choices={[
          ['private', text.private],
          ['public', text.public],
        ]}
      />
    </>
  )
}

export function readFeed(form: FormData) {
  return {
    name: String(form.get('name')).trim(),
    description: String(form.get('description')).trim(),
    allow_videos: form.has('allow_videos'),
    allow_images: form.has('allow_images'),
    visibility: form.get('visibility') === 'public' ? ('public' as const) : ('private' as const),
  }
}
