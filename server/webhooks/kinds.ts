import { exampleId } from '../base/ids.ts'

/** What can happen, each with what is told of it beside `project_id`. */
const EXAMPLES = {
  'video.ready': {
    video_id: exampleId('video'),
    name: 'harbour.mp4',
    size: 18874368,
    duration: 42.5,
    width: 1920,
    height: 1080,
  },
  'video.processed': { video_id: exampleId('video') },
  'video.failed': { video_id: exampleId('video'), reason: 'a part of it cannot be decoded' },
  'video.deleted': { video_id: exampleId('video') },
  'image.ready': {
    image_id: exampleId('image'),
    name: 'pier.jpg',
    size: 524288,
    width: 4000,
    height: 3000,
  },
  'image.deleted': { image_id: exampleId('image') },
  'post.published': {
    post_id: exampleId('post'),
    feed_id: exampleId('feed'),
    creator_id: 'ada',
    video_id: exampleId('video'),
  },
  'post.deleted': {
    post_id: exampleId('post'),
    feed_id: exampleId('feed'),
    creator_id: 'ada',
    video_id: exampleId('video'),
  },
  'upload.expired': { video_id: exampleId('video'), kind: 'video', name: 'harbour.mp4' },
  'plan.changed': { org_id: exampleId('organization'), plan: 'pro', plan_before: 'free' },
  'key.rotated': { key_id: exampleId('key'), name: 'Backend', kind: 'sk' },
} as const

export type MessageKind = keyof typeof EXAMPLES

export const MESSAGE_KINDS = Object.keys(EXAMPLES) as MessageKind[]

export function exampleData(kind: MessageKind): Record<string, unknown> {
  return { ...EXAMPLES[kind] }
}
