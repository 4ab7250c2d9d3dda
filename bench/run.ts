/** Each bench shows one claim, as a ratio to a baseline measured in the same run. */
const BENCHES: Record<string, { about: string; load: () => Promise<{ run(): Promise<void> }> }> = {
  http: {
    about: 'requests a second of the API beside a bare node:http server',
    load: () => import('./http.ts'),
  },
  uploads: {
    about:
      'MB a second of files by one PUT beside @tus/server, with their processor time and memory, and by tus beside one PUT',
    load: () => import('./uploads.ts'),
  },
  images: {
    about:
      'time and images a minute of an upload, and a size of a large picture, beside sharp alone in a loop',
    load: () => import('./images.ts'),
  },
  delivery: {
    about: 'requests a second of an image beside nginx with the same file',
    load: () => import('./delivery.ts'),
  },
  downloads: {
    about: 'MB a second of a finished video as one file beside nginx with the same file',
    load: () => import('./downloads.ts'),
  },
  private: {
    about: 'requests a second of a private image with a token beside the same image for everybody',
    load: () => import('./private.ts'),
  },
  lists: {
    about: 'a filtered page of a million images beside the same page of a thousand',
    load: () => import('./lists.ts'),
  },
  videos: {
    about:
      'how soon a video plays and what its renditions cost, beside plain ffmpeg; takes a quarter of an hour',
    load: () => import('./videos.ts'),
  },
  player: {
    about: 'a click to the first frame beside plain hls.js, and the weight of scripts beside other players',
    load: () => import('./player.ts'),
  },
  console: {
    about:
      'how soon a library of ten thousand shows what was done, beside an empty React page; and one of 100,000',
    load: () => import('./console.ts'),
  },
  feeds: {
    about: 'pages and posts of a feed of a million beside a server that has their bytes in memory',
    load: () => import('./feeds.ts'),
  },
  analytics: {
    about:
      'events a second beside a server that throws them away, and reports over ten million beside a bare scan',
    load: () => import('./analytics.ts'),
  },
  webhooks: {
    about: 'deliveries a second to a local receiver beside plain fetch of the same',
    load: () => import('./webhooks.ts'),
  },
  scale: {
    about:
      'feeds, events and films with two processes beside one, and with engines by address beside those inside',
    load: () => import('./scale.ts'),
  },
  machines: {
    about: 'one film by ten workers on machines of their own beside one worker, as root',
    load: () => import('./machines.ts'),
  },
  billing: {
    about: 'webhooks a second that are stored for good beside bare inserts into the same database',
    load: () => import('./billing.ts'),
  },
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const unknown = names.filter((name) => !BENCHES[name])
if (unknown.length > 0 || process.argv.includes('--help')) {
  process.stdout.write('Usage: npm run bench -- [name …]\n\n')
  for (const [name, { about }] of Object.entries(BENCHES)) process.stdout.write(`  ${name}  ${about}\n`)
  process.exit(unknown.length > 0 ? 1 : 0)
}
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const bench = await BENCHES[name]!.load()
  await bench.run()
}
