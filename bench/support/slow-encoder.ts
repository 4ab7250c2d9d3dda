import { writeFileSync } from 'node:fs'
import path from 'node:path'

/** An ffmpeg that waits for each segment it is to encode, and then is the real one; with all else it is so at once. */
export function slowEncoder(folder: string, secondsASegment: number): string {
  const file = path.join(folder, 'ffmpeg')
  // Each rendition is told at which times its segments begin.
  const script = `#!/bin/sh
count=0
previous=
for word; do
  if [ "$previous" = -force_key_frames ]; then
    commas=$(printf %s "$word" | tr -dc ,)
    count=$((count + \${#commas} + 1))
  fi
  previous=$word
done
# On a machine of its own it would give way to nobody. The system lets this be changed ten times a second.
for try in 1 2 3 4 5; do { echo 0 > /proc/self/autogroup; } 2> /dev/null && break; sleep 0.1; done
[ "$count" = 0 ] || sleep $((count * ${secondsASegment}))
exec ffmpeg "$@"
`
  writeFileSync(file, script, { mode: 0o755 })
  return file
}
