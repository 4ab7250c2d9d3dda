/** The words of the start page. */
export const startWords = {
  title: 'Start',
  lead: 'Upload a video, show it on a page, count who watches. Each step ticks itself off as soon as it has happened.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  allDone: 'All three work.',
  toLibrary: 'Go to the library',
  skip: 'Do not open this page first',
  skipped: 'This project opens with its library from now on.',
  code: 'Code',
  languages: { curl: 'curl', ts: 'TypeScript', html: 'HTML' },
  done: 'Done',
  steps: {
    upload: {
      title: 'Upload a video',
      text: 'By a script, or choose a file here. It plays as soon as it is uploaded.',
      waiting: 'Waiting for the first upload…',
      choose: 'Choose a file',
      about: {
        curl: 'Save a video as holiday.mp4, or write its name in the third line.',
        ts: 'Runs in Node, Deno and Bun as it is; there is nothing to install.',
        html: 'For your own site. Your server answers /marquee-token by POST /platform/auth/v1/token: a secret key has no place in a page.',
      },
    },
    embed: {
      title: 'Embed it',
      text: 'A post in a public feed can be shown on any page.',
      waiting: 'Waiting for the first post in a public feed…',
      publish: (name: string) => `Publish ${name}`,
      needsMedia: 'Upload something first.',
      needsPost:
        'There is no post in a public feed yet. Publish what was uploaded, and the lines for your page are here.',
      feedName: 'First feed',
      published: (name: string) => `${name} is published.`,
      notPublished: 'It was not published',
      look: 'Look at it',
      about: {
        curl: 'Makes a post of the newest upload, in a public feed.',
        ts: 'Makes a post of the newest upload, in a public feed.',
        html: 'Put these lines into any page.',
      },
    },
    count: {
      title: 'Count who watches',
      text: 'The tracker tells the service what was watched and how well it played.',
      waiting: 'Waiting for the first event…',
      look: 'See the numbers',
      about: {
        curl: 'Sends one view. It is in every report from then on.',
        ts: 'Sends one view. It is in every report from then on.',
        html: 'Put these lines into any page, open it and press play. The first events arrive some five seconds later.',
      },
    },
  },
  unseen: 'You may not see whether this has happened.',
  key: {
    needs: {
      sk: 'The code needs a secret key, which is for servers and scripts.',
      pk: 'The code needs a publishable key, which is for pages and apps.',
    },
    make: 'Create a key and fill it in',
    name: (date: string) => `Start page, ${date}`,
    filled: 'Your new key is filled in. It is shown until you leave this page, and never again.',
    missing: (placeholder: string) => `Write yours in the place of ${placeholder}.`,
    ask: 'Ask an owner of the organization for one.',
    notMade: 'The key was not created',
  },
}
