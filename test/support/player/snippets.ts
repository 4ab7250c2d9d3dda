import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../service.ts'

interface Named {
  service: { url: string; seed: { publishable_key: string } }
  post: string
}

/** The examples of a document in one language, with a service, a post and a key that are there instead of made up ones. */
export function snippetsOf(document: string, language: string, { service, post }: Named): string[] {
  const text = readFileSync(path.join(root, document), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) =>
    code!
      .replaceAll('https://media.example.com', service.url)
      .replaceAll('feed_…/post_…', post)
      .replaceAll('feed_…', post.split('/')[0]!)
      .replaceAll(/(mq_)?pk_…/g, service.seed.publishable_key),
  )
}
