import { badRequest } from '../base/errors.ts'
import type { Form, FormFile } from '../base/form.ts'
import { canonicalLanguage, languageName } from './languages.ts'

/** A file together with what the form says about it. */
export interface Labelled {
  file: FormFile
  language: string
  label: string
}

/** The one file of a form. */
export function oneFile(form: Form, field: string): FormFile {
  const file = form.files.find((candidate) => candidate.field === field)
  if (!file) throw badRequest(`${field}: a file is required`)
  return file
}

/** A file for the language in the path; its label, where there is none, is the language's name. */
export function oneLabelled(form: Form, language: string, endings: readonly string[]): Labelled {
  const file = oneFile(form, 'file')
  requireEnding(file, 'file', endings)
  return { file, language, label: readLabel(form.fields.get('label')?.[0], language) }
}

/** `files`, `language_codes` and `labels`, which belong together by their positions. */
export function allLabelled(form: Form, endings: readonly string[]): Labelled[] {
  const files = form.files.filter(({ field }) => field === 'files')
  if (files.length === 0) throw badRequest('files: at least one file is required')
  for (const [i, file] of files.entries()) requireEnding(file, `files[${i}]`, endings)
  const codes = listOf(form, 'language_codes', files.length)
  const labels = listOf(form, 'labels', files.length)
  const languages = codes.map((code) => readLanguage(code, 'language_codes'))
  const twice = languages.find((language, i) => languages.indexOf(language) !== i)
  if (twice) throw badRequest(`language_codes: "${twice}" is there twice`)
  return files.map((file, i) => ({
    file,
    language: languages[i]!,
    label: readLabel(labels[i], languages[i]!),
  }))
}

/** The content decides what a file is; a name that says something else is a mistake all the same. */
function requireEnding({ name }: FormFile, field: string, endings: readonly string[]): void {
  const lower = name.toLowerCase()
  if (!endings.some((ending) => lower.endsWith(ending)))
    throw badRequest(`${field}: its name must end in one of ${endings.join(', ')}`)
}

export function readLanguage(code: string, field: string): string {
  const language = canonicalLanguage(code)
  if (!language) throw badRequest(`${field}: "${code}" is not a language code (BCP 47)`)
  return language
}

/** Separated by commas; a field that comes several times is a list as it is, and may have commas inside. */
function listOf(form: Form, field: string, count: number): string[] {
  const values = form.fields.get(field)
  if (!values) throw badRequest(`${field}: is required`)
  const items = (values.length > 1 ? values : values[0]!.split(',')).map((item) => item.trim())
  if (items.length !== count)
    throw badRequest(`${field}: there are ${items.length}, and ${count} files; each file needs one`)
  return items
}

const MAX_LABEL = 200

function readLabel(given: string | undefined, language: string): string {
  const label = given?.trim() || languageName(language)
  if (label.length > MAX_LABEL) throw badRequest(`label: at most ${MAX_LABEL} characters are taken`)
  // A playlist has each label on one line.
  if (/[\x00-\x1f\x7f\u2028\u2029]/.test(label)) throw badRequest('label: must not have control characters')
  return label
}
