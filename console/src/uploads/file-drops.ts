/** Whether somebody holds files above the page, other than above a field that takes them by itself. */
export const isFileDrag = ({ dataTransfer, target }: DragEvent): boolean =>
  (dataTransfer?.types.includes('Files') ?? false) && !(target as Element).matches?.('input[type=file]')

/** A browser opens a file that nobody takes, in the place of the console with all that it was doing. */
export function keepFilesFromOpening(): void {
  for (const name of ['dragover', 'drop'] as const)
    addEventListener(name, (event) => {
      if (event.defaultPrevented || !isFileDrag(event)) return
      event.preventDefault()
      event.dataTransfer!.dropEffect = 'none'
    })
}
