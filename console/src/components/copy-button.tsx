import { useEffect, useState } from 'react'
import { words } from '../words.ts'
import { Button, IconButton } from './button.tsx'

/** Copies a text and says so for a moment. With `label`, a button with a word; otherwise its picture alone. */
export function CopyButton({ text, label }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => copyText(text).then(() => setCopied(true))
  const said = (
    <span className="visually-hidden" role="status">
      {isCopied ? words.common.copied : ''}
    </span>
  )
  return label ? (
    <>
      <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? words.common.copied : label}
      </Button>
      {said}
    </>
  ) : (
    <>
      <IconButton label={words.common.copy} icon={isCopied ? 'check' : 'copy'} onClick={copy} />
      {said}
    </>
  )
}

/** Pages without https have no clipboard of their own. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}
