import type { Schemas } from '@marquee/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Addresses } from '../../components/addresses.tsx'
import { Ago } from '../../components/ago.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DeleteMedia } from '../../components/delete-media.tsx'
import { Facts } from '../../components/facts.tsx'
import { type MediaChanges, MediaDescription, withChanges } from '../../components/media-description.tsx'
import { MediaHeader } from '../../components/media-header.tsx'
import { MediaPending } from '../../components/media-pending.tsx'
import { Page } from '../../components/page.tsx'
import { Columns, Section } from '../../components/section.tsx'
import { Uses } from '../../components/uses.tsx'
import { type Visibility, VisibilitySelect } from '../../components/visibility.tsx'
import { formatBytes, shortId } from '../../format.ts'
import { opened, useMediaToken } from '../../session/use-opened.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { useChange } from '../../use-change.ts'
import { words } from '../../words.ts'
import { refreshItem } from '../library/refresh-media.ts'
import { Builder } from './builder.tsx'
import { Preview } from './preview.tsx'
import { useAddresses, useSigning, withinLimits } from './signing.ts'
import { readWish, type Wish } from './variant.ts'

type Image = Schemas['Image']

function useImage() {
  const { imageId = '' } = useParams({ strict: false })
  const { projectId, client } = useProject()
  const query = queryOptions({
    queryKey: [projectId, 'image', imageId, 'record'],
    queryFn: ({ signal }) => client.get('/images/{imageId}', { path: { imageId }, signal }),
  })
  return { imageId, client, projectId, query }
}

export function ImagePage() {
  const { query } = useImage()
  const { data: image, error, refetch } = useQuery(query)
  if (image) return <LoadedImage key={image.id} image={image} />
  return <MediaPending kind="image" error={error} onRetry={() => void refetch()} />
}

function LoadedImage({ image }: { image: Image }) {
  const may = usePermission()
  const mayWrite = may('images:write')
  const change = useChangeImage()
  const [given, setWish] = useWish()
  const signing = useSigning()
  const wish = withinLimits(given, signing)
  const { id, file, description = '', visibility } = image
  const token = useMediaToken(visibility)
  const isOpen = visibility !== 'private' || token !== undefined
  // What is still typed is not asked for.
  const asked = useSettled(wish)
  const [address] = useAddresses(file.url, [asked], signing)
  return (
    <Page
      title={file.name}
      heading={
        <MediaHeader
          name={file.name}
          onRename={mayWrite ? (name) => change({ name }) : undefined}
          actions={may('images:delete') && <DeleteMedia kind="image" id={id} name={file.name} />}
        />
      }
    >
      <Columns
        main={
          <>
            <Preview image={image} address={isOpen && address ? opened(address, token) : undefined} />
            <MediaDescription
              text={description}
              onSave={mayWrite ? (text) => change({ description: text }) : undefined}
            />
          </>
        }
        side={
          <>
            <Builder
              url={file.url}
              opening={{ isOpen, token }}
              signing={signing}
              wish={wish}
              asked={asked}
              whole={file.size}
              onChange={setWish}
            />
            <Details
              image={image}
              onVisibility={mayWrite ? (wanted) => change({ visibility: wanted }) : undefined}
            />
            <Section title={words.media.addresses}>
              <Addresses addresses={addressesOf(image, address)} />
            </Section>
            <Uses kind="image" id={id} />
          </>
        }
      />
    </Page>
  )
}

/** What is wished for is in the address of the page, so that it can be linked. */
function useWish(): [Wish, (wish: Wish) => void] {
  const wish = readWish(useSearch({ strict: false }))
  const navigate = useNavigate()
  const setWish = (next: Wish) =>
    navigate({ to: '.', search: next as never, replace: true, resetScroll: false })
  return [wish, setWish]
}

const SETTLED_MS = 250

function useSettled(wish: Wish): Wish {
  const text = JSON.stringify(wish)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(settled) as Wish
}

/** Changes the name or the description, at once. */
function useChangeImage(): (changes: MediaChanges) => void {
  const { imageId, client, projectId, query } = useImage()
  return useChange<Image, MediaChanges>({
    queryKey: query.queryKey,
    send: (body) => client.patch('/images/{imageId}', { path: { imageId }, body }),
    show: withChanges,
    onSaved: () => void refreshItem(client, projectId, { kind: 'image', id: imageId }),
  })
}

function Details({
  image,
  onVisibility,
}: {
  image: Image
  onVisibility: ((visibility: Visibility) => void) | undefined
}) {
  const { id, file, width, height, visibility } = image
  return (
    <Section title={words.media.details}>
      <Facts
        facts={[
          { name: words.media.picture, value: words.media.pixels(width, height) },
          { name: words.image.wholeWeight, value: `${formatBytes(file.size)} · ${file.format}` },
          {
            name: words.media.created,
            value: <Ago at={file.created_at} />,
          },
          {
            name: words.media.id,
            value: (
              <>
                <code>{shortId(id)}</code>
                <CopyButton text={id} />
              </>
            ),
          },
        ]}
      />
      {/* That of a poster is its video’s. */}
      <VisibilitySelect value={visibility} onChange={image.attached_to_video ? undefined : onVisibility} />
    </Section>
  )
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')

function addressesOf({ id, file, description }: Image, address: string = file.url) {
  return [
    { name: words.image.wholeWeight, text: file.url },
    {
      name: words.image.page,
      text: `<img src="${escaped(address)}" alt="${escaped(description ?? '')}">`,
    },
    { name: words.video.curl, text: `curl ${location.origin}/images/${id} -H "X-API-Key: $MARQUEE_API_KEY"` },
  ]
}
