// Feeds and posts as other sites show them: embedded pages, oEmbed, RSS, podcasts.

export { openSyndication } from './open-syndication.ts'
