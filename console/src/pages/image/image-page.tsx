import type { Schemas } from '@marquee/client'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isStatus } from '../../api.ts'
import { Addresses } from '../../components/addresses.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DeleteMedia } from '../../components/delete-media.tsx'
import { Editable } from '../../components/editable.tsx'
import { Facts } from '../../components/facts.tsx'
import { Failure } from '../../components/failure.tsx'
import { MediaHeader } from '../../components/media-header.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { Page } from '../../components/page.tsx'
import { Columns, Section } from '../../components/section.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { Uses } from '../../components/uses.tsx'
import { formatAgo, formatBytes, formatTime, shortId } from '../../format.ts'
import { usePermission, useProject } from '../../session/use-project.ts'
import { useChange } from '../../use-change.ts'
import { words } from '../../words.ts'
import { Builder } from './builder.tsx'
import styles from './image-page.module.css'
import { Preview } from './preview.tsx'
import { addressOf, readWish, type Wish } from './variant.ts'

type Image = Schemas['Image']
type Changes = { name?: string; description?: string }

function useImage() {
  const { imageId = '' } = useParams({ strict: false })
  const { projectId, client } = useProject()
  const query = queryOptions({
    queryKey: [projectId, 'image', imageId, 'record'],
    queryFn: ({ signal }) => client.get('/images/{imageId}', { path: { imageId }, signal }),
  })
  return { imageId, client, query }
}

export function ImagePage() {
  const { query } = useImage()
  const { data: image, error, refetch } = useQuery(query)
  if (image) return <LoadedImage key={image.id} image={image} />
  if (isStatus(error, 404)) return <NotFound />
  return (
    <Page
      title={words.media.picture}
      heading={
        error ? (
          <h1 className="visually-hidden">{words.common.failed}</h1>
        ) : (
          <Skeleton width="40%" height="36px" />
        )
      }
    >
      {error ? (
        <Failure error={error} reset={() => refetch()} />
      ) : (
        <Columns main={<div className={styles.waiting} />} side={<Skeleton height="320px" />} />
      )}
    </Page>
  )
}

function LoadedImage({ image }: { image: Image }) {
  const may = usePermission()
  const mayWrite = may('images:write')
  const change = useChangeImage()
  const [wish, setWish] = useWish()
  const { id, file, description = '' } = image
  // What is still typed is not asked for.
  const asked = useSettled(wish)
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
            <Preview image={image} address={addressOf(file.url, asked)} />
            {mayWrite ? (
              <Editable
                label={words.media.description}
                placeholder={words.media.addDescription}
                value={description}
                maxLength={5000}
                onSave={(text) => change({ description: text })}
              />
            ) : (
              description && <p className={styles.description}>{description}</p>
            )}
          </>
        }
        side={
          <>
            <Builder url={file.url} wish={wish} asked={asked} whole={file.size} onChange={setWish} />
            <Details image={image} />
            <Section title={words.media.addresses}>
              <Addresses addresses={addressesOf(image, asked)} />
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
function useChangeImage(): (changes: Changes) => void {
  const { imageId, client, query } = useImage()
  return useChange<Image, Changes>({
    queryKey: query.queryKey,
    send: (body) => client.patch('/images/{imageId}', { path: { imageId }, body }),
    show: (image, { name, description }) => ({
      ...image,
      ...(name !== undefined && { file: { ...image.file, name } }),
      ...(description !== undefined && { description }),
    }),
  })
}

function Details({ image }: { image: Image }) {
  const { id, file, width, height } = image
  return (
    <Section title={words.media.details}>
      <Facts
        facts={[
          { name: words.media.picture, value: words.media.pixels(width, height) },
          { name: words.image.wholeWeight, value: `${formatBytes(file.size)} · ${file.format}` },
          {
            name: words.media.created,
            value: (
              <time dateTime={file.created_at} title={formatTime(file.created_at)}>
                {formatAgo(file.created_at)}
              </time>
            ),
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
    </Section>
  )
}

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;')

function addressesOf({ id, file, description }: Image, wish: Wish) {
  const address = addressOf(file.url, wish)
  return [
    { name: words.image.wholeWeight, text: file.url },
    {
      name: words.image.page,
      text: `<img src="${escaped(address)}" alt="${escaped(description ?? '')}">`,
    },
    { name: words.video.curl, text: `curl ${location.origin}/images/${id} -H "X-API-Key: $MARQUEE_API_KEY"` },
  ]
}
