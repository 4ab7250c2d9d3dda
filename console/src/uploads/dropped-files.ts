const MEDIA = /\.(jpe?g|png|webp|hei[cf]|mp4|m4v|mov|avi|webm|mkv)$/i

/** By the type that the system knows, or by the ending where it knows none. */
const isMediaFile = ({ name, type }: File): boolean =>
  !name.startsWith('.') && (/^(image|video)\//.test(type) || MEDIA.test(name))

export interface DroppedFiles {
  files: File[]
  /** How many files of folders are neither videos nor images, and were not taken. */
  leftOut: number
}

/**
 * All files that were dropped, also those in folders. A file that somebody has dropped by itself is meant, whatever it is;
 * of a folder only media is.
 */
export async function droppedFiles({ items, files }: DataTransfer): Promise<DroppedFiles> {
  // What was dropped can be asked for only before the event is over, so without waiting for anything.
  const entries = [...items].filter(({ kind }) => kind === 'file').map((item) => item.webkitGetAsEntry())
  if (!entries.some((entry) => entry?.isDirectory)) return { files: [...files], leftOut: 0 }
  const found: DroppedFiles = { files: [], leftOut: 0 }
  for (const entry of entries) {
    if (entry?.isDirectory) addMedia(found, await filesBelow(entry as FileSystemDirectoryEntry))
    else if (entry) found.files.push(await fileOf(entry as FileSystemFileEntry))
  }
  return found
}

/** Of a folder that was picked: a browser hands over everything in it. */
export function pickedFiles(files: Iterable<File>): DroppedFiles {
  const found: DroppedFiles = { files: [], leftOut: 0 }
  addMedia(found, [...files])
  return found
}

function addMedia(found: DroppedFiles, files: File[]): void {
  const media = files.filter(isMediaFile)
  found.files.push(...media)
  found.leftOut += files.filter((file) => !file.name.startsWith('.')).length - media.length
}

async function filesBelow(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader()
  const files: File[] = []
  while (true) {
    // A reader hands out some at a time, until there are none left.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return files
    for (const entry of some) {
      if (entry.isDirectory) files.push(...(await filesBelow(entry as FileSystemDirectoryEntry)))
      else files.push(await fileOf(entry as FileSystemFileEntry))
    }
  }
}

const fileOf = (entry: FileSystemFileEntry): Promise<File> =>
  new Promise((resolve, reject) => entry.file(resolve, reject))
