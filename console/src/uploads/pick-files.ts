/** Opens the browser's own picker, for whatever has no input of its own. It must be called while a key or pointer is handled. */
export function pickFiles(take: (files: File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.hidden = true
  input.accept = 'video/*,image/*,.mkv,.heic'
  input.addEventListener('change', () => {
    take([...(input.files ?? [])])
    input.remove()
  })
  input.addEventListener('cancel', () => input.remove())
  // One that is nowhere in the page may be gone before somebody has chosen.
  document.body.append(input)
  input.click()
}
