import { settings } from '../../server/config/config.ts'

/** docs/configuration.md: one row for each setting, in the order of the table in the code. */
export function configurationPage(): string {
  const rows = Object.values(settings).map(
    ({ name, shown, about }) =>
      `| \`${name}\` | ${shown ? `\`${shown}\`` : ''} | ${about.replaceAll('|', '\\|')} |`,
  )
  return `# Configuration

Marquee is configured by environment variables. An empty one counts as not set; a name that begins with
\`MARQUEE_\` and is not in this table is refused at start, with the nearest one that is.

Sizes are bytes, with or without a binary unit: \`500MiB\`, \`10GiB\`.

| name | default | meaning |
| --- | --- | --- |
${rows.join('\n')}

This page is generated from \`server/config/config.ts\` by \`npm run generate\`.
`
}
