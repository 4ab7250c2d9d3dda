/** A form that a client sent. Its files are there only as long as somebody uses it. */
export interface Form {
  /** Every value that came under a name, in order. */
  fields: Map<string, string[]>
  files: FormFile[]
}

export interface FormFile {
  /** Under which name it came. */
  field: string
  /** The client's own name for it: any text at all. */
  name: string
  path: string
  size: number
}

export interface FormLimits {
  /** For each file. */
  maxBytes: number
  maxFiles: number
}

/** Reads the form, has it used, and removes its files, whatever happens. Throws what is wrong with it. */
export type UseForm = <T>(limits: FormLimits, use: (form: Form) => Promise<T>) => Promise<T>
