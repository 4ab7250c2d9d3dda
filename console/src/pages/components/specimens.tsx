import { MarqueeError } from '@marquee/client'
import { useState } from 'react'
import { Addresses } from '../../components/addresses.tsx'
import { Ago } from '../../components/ago.tsx'
import { Badge } from '../../components/badge.tsx'
import { Button, type ButtonProps, IconButton } from '../../components/button.tsx'
import { Checkbox, CheckboxGroup } from '../../components/checkbox.tsx'
import { ConfirmDelete } from '../../components/confirm-delete.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { DeleteMedia } from '../../components/delete-media.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Editable } from '../../components/editable.tsx'
import { Empty } from '../../components/empty.tsx'
import { Facts } from '../../components/facts.tsx'
import { Failure } from '../../components/failure.tsx'
import { Field, TextArea } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { ICONS, Icon } from '../../components/icons.tsx'
import { InlineSelect } from '../../components/inline-select.tsx'
import { MediaDescription } from '../../components/media-description.tsx'
import { MediaHeader } from '../../components/media-header.tsx'
import { MediaPending } from '../../components/media-pending.tsx'
import { Menu, MenuItem, MenuSection } from '../../components/menu.tsx'
import { NotFound } from '../../components/not-found.tsx'
import { Page } from '../../components/page.tsx'
import { Problem } from '../../components/problem.tsx'
import { RangeBar } from '../../components/range-bar.tsx'
import { RequestId } from '../../components/request-id.tsx'
import { Columns, Section } from '../../components/section.tsx'
import { Select } from '../../components/select.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { useNotify } from '../../components/toasts.tsx'
import { Uses } from '../../components/uses.tsx'
import { VisibilitySelect } from '../../components/visibility.tsx'
import { words } from '../../words.ts'
import { DATA_SPECIMENS } from './data-specimens.tsx'
import { Opener } from './opener.tsx'
import { SAMPLE_ID } from './sample-data.tsx'
import type { Specimen } from './specimen.ts'

const nothing = () => {}
const noNumber = (text: string) => (/^\d+$/.test(text) ? undefined : 'Write a number.')
const refused = new MarqueeError({
  status: 409,
  error: 'Conflict',
  details: 'there is a feed of this name already',
  requestId: 'req_01k9qxyzabcdefghjkmnpqrstv',
})
const away = new MarqueeError({ status: 0, error: 'fetch failed' })
const KINDS: NonNullable<ButtonProps['kind']>[] = ['plain', 'primary', 'danger', 'quiet']
const buttons = (props: ButtonProps) =>
  KINDS.map((kind) => (
    <Button key={kind} kind={kind} {...props}>
      {kind}
    </Button>
  ))

/** One for each file of src/components; a test tells which is missing. */
export const SPECIMENS: Specimen[] = [
  {
    name: 'Button',
    states: [
      { state: 'default', shown: buttons({}) },
      { state: 'with a picture', shown: buttons({ icon: 'plus' }) },
      { state: 'busy', shown: buttons({ isBusy: true }) },
      { state: 'disabled', shown: buttons({ disabled: true }) },
      {
        state: 'IconButton',
        shown: (
          <>
            <IconButton label="More" icon="more" />
            <IconButton label="Remove" icon="trash" disabled />
          </>
        ),
      },
    ],
  },
  {
    name: 'CopyButton',
    states: [
      { state: 'default', shown: <CopyButton text="vid_01k9qxyzabcdefghjkmnpqrstv" /> },
      { state: 'with a word', shown: <CopyButton text="a line of code" label={words.common.copy} /> },
    ],
  },
  {
    name: 'Field, TextArea',
    states: [
      { state: 'default', shown: <Field label="Name" defaultValue="Holidays" /> },
      { state: 'hint', shown: <Field label="Address" hint="A link is mailed to it." type="email" /> },
      {
        state: 'error',
        shown: <Field label="Password" error="At least 10 characters." defaultValue="short" />,
      },
      { state: 'disabled', shown: <Field label="Id" defaultValue="vid_…" disabled /> },
      { state: 'long', shown: <TextArea label="Description" hint="Up to 5000 characters." /> },
    ],
  },
  {
    name: 'Select',
    states: [
      {
        state: 'default',
        shown: (
          <Select
            label="Quality"
            hint="Of new videos."
            choices={[
              ['basic', 'Basic'],
              ['pro', 'Pro'],
            ]}
          />
        ),
      },
      { state: 'disabled', shown: <Select label="Role" choices={[['owner', 'Owner']]} disabled /> },
    ],
  },
  {
    name: 'VisibilitySelect',
    states: [
      { state: 'default', shown: <VisibilitySelect value={undefined} onChange={nothing} /> },
      { state: 'read only', shown: <VisibilitySelect value="private" onChange={undefined} /> },
    ],
  },
  {
    name: 'RangeBar, InlineSelect',
    states: [
      {
        state: 'default',
        shown: (
          <RangeBar range={{ range: '28d', from: '', to: '' }} ranges={['24h', '7d', '28d', 'custom']}>
            <InlineSelect label="By" value="day" choices={[['day', 'Day']]} onChoose={nothing} />
          </RangeBar>
        ),
      },
    ],
  },
  {
    name: 'Checkbox, CheckboxGroup',
    states: [
      {
        state: 'default',
        shown: (
          <CheckboxGroup label="It shows">
            <Checkbox label="Videos" defaultChecked />
            <Checkbox label="Images" hint="Photos and pictures" />
            <Checkbox label="Neither" disabled />
          </CheckboxGroup>
        ),
      },
    ],
  },
  {
    name: 'Editable, MediaDescription',
    states: [
      { state: 'title', shown: <EditableSample kind="title" value="harbour.mp4" /> },
      { state: 'line', shown: <EditableSample kind="line" value="Chapter one" /> },
      { state: 'empty', shown: <EditableSample kind="text" value="" /> },
      { state: 'nothing but numbers', shown: <EditableSample kind="line" value="12" check={noNumber} /> },
      { state: 'description', shown: <MediaDescription text={words.gallery.sample} onSave={nothing} /> },
      { state: 'read only', shown: <MediaDescription text={words.gallery.sample} onSave={undefined} /> },
    ],
  },
  {
    name: 'Menu',
    states: [
      {
        state: 'closed; press it',
        shown: (
          <Menu trigger={<Button icon="more">Actions</Button>}>
            <MenuSection label="A section">
              <MenuItem icon="edit" onSelect={nothing}>
                Edit
              </MenuItem>
              <MenuItem isChosen onSelect={nothing}>
                Chosen
              </MenuItem>
              <MenuItem isDanger onSelect={nothing}>
                Delete
              </MenuItem>
            </MenuSection>
          </Menu>
        ),
      },
    ],
  },
  {
    name: 'Dialog, FormDialog, ConfirmDelete',
    states: [
      { state: 'closed; press it', shown: <DialogSample /> },
      { state: 'a form that fails', shown: <FormDialogSample /> },
      { state: 'where there is no trash', shown: <ConfirmDeleteSample /> },
    ],
  },
  {
    name: 'Toasts, Toast',
    states: [{ state: 'press it', shown: <ToastSample /> }],
  },
  {
    name: 'Badge, Ago',
    states: [
      {
        state: 'kinds',
        shown: (
          <>
            <Badge>Plain</Badge>
            <Badge kind="good">Good</Badge>
            <Badge kind="warning">Warning</Badge>
          </>
        ),
      },
      { state: 'a time', shown: <Ago at={new Date(Date.now() - 3 * 3_600_000).toISOString()} /> },
    ],
  },
  {
    name: 'Failure, Problem, RequestId, NotFound',
    states: [
      { state: 'refused', shown: <Failure error={refused} /> },
      { state: 'away', shown: <Failure error={away} /> },
      { state: 'in a form', shown: <Problem error={refused} /> },
      { state: 'by itself', shown: <RequestId error={refused} /> },
      { state: 'not there', shown: <NotFound /> },
    ],
  },
  {
    name: 'Empty, Skeleton',
    states: [
      {
        state: 'empty',
        shown: (
          <Empty title="No feeds yet">
            <p>A feed is a list of posts.</p>
            <Button kind="primary">Create a feed</Button>
          </Empty>
        ),
      },
      { state: 'loading', shown: <Skeleton height={96} /> },
    ],
  },
  {
    name: 'Page, Section, Columns',
    states: [
      {
        state: 'default',
        shown: (
          <Page title={words.gallery.title} actions={<Button>Action</Button>}>
            <Columns
              main={<Section title="Main">{words.gallery.sample}</Section>}
              side={
                <Section title="Side" actions={<IconButton label="Add" icon="plus" />}>
                  {words.gallery.sample}
                </Section>
              }
            />
          </Page>
        ),
      },
    ],
  },
  {
    name: 'MediaHeader, DeleteMedia',
    states: [
      {
        state: 'may be changed',
        shown: (
          <MediaHeader
            name="harbour.mp4"
            onRename={nothing}
            actions={<DeleteMedia kind="video" id={SAMPLE_ID} name="harbour.mp4" />}
          />
        ),
      },
      { state: 'read only', shown: <MediaHeader name="harbour.mp4" /> },
    ],
  },
  {
    name: 'MediaPending',
    states: [
      {
        state: 'loading',
        shown: <MediaPending kind="video" error={undefined} onRetry={nothing} />,
      },
      {
        state: 'failed',
        shown: <MediaPending kind="image" error={refused} onRetry={nothing} />,
      },
    ],
  },
  {
    name: 'Facts, Addresses, Uses',
    states: [
      {
        state: 'facts',
        shown: (
          <Facts
            facts={[
              { name: 'Duration', value: '1:02' },
              { name: 'Id', value: <CopyButton text="vid_…" /> },
            ]}
          />
        ),
      },
      {
        state: 'addresses',
        shown: (
          <Addresses
            addresses={[
              { name: 'HLS', text: 'https://media.example.com/v/01k9qxyzabcdefghjkmnpqrstv/master.m3u8' },
              { name: 'Page', text: '<marquee-player post="feed_…/post_…"></marquee-player>' },
            ]}
          />
        ),
      },
      { state: 'uses', shown: <Uses kind="video" id={SAMPLE_ID} /> },
    ],
  },
  ...DATA_SPECIMENS,
  {
    name: 'Icon',
    states: [{ state: 'all', shown: ICONS.map((name) => <Icon key={name} name={name} size={24} />) }],
  },
]

interface EditableSampleProps {
  kind: 'title' | 'text' | 'line'
  value: string
  check?: (text: string) => string | undefined
}

function EditableSample({ kind, value, ...rest }: EditableSampleProps) {
  const [text, setText] = useState(value)
  return (
    <Editable
      label={kind}
      kind={kind}
      value={text}
      placeholder="Add a description"
      onSave={setText}
      {...rest}
    />
  )
}

function DialogSample() {
  return (
    <Opener label="Open a dialog">
      {(isOpen, close) => (
        <Dialog title="A dialog" isOpen={isOpen} onClose={close} actions={<Button>Action</Button>}>
          <p>{words.gallery.sample}</p>
        </Dialog>
      )}
    </Opener>
  )
}

function ConfirmDeleteSample() {
  return (
    <Opener label="Delete" kind="danger">
      {(isOpen, close) =>
        isOpen && (
          <ConfirmDelete title={words.media.deleteForGood('harbour.mp4')} onClose={close} onDelete={close} />
        )
      }
    </Opener>
  )
}

function FormDialogSample() {
  return (
    <Opener label="Open a form">
      {(isOpen, close) => (
        <FormDialog
          title="A form"
          submit={words.common.save}
          isOpen={isOpen}
          onClose={close}
          onSubmit={() => Promise.reject(refused)}
        >
          <Field label="Name" name="name" />
        </FormDialog>
      )}
    </Opener>
  )
}

function ToastSample() {
  const notify = useNotify()
  return (
    <>
      <Button onClick={() => notify.done('Deleted harbour.mp4', () => notify.done('It is back'))}>
        Done, with a way back
      </Button>
      <Button onClick={() => notify.failed('It was not saved', refused)}>Failed</Button>
    </>
  )
}
