import { useEffect, useState } from 'react'
import { openUploader } from './uploader.ts'
import type { Uploader, UploadRule } from './uploader.ts'

/** An uploader for as long as the component lives. */
export function useUploader({ purpose, kind, kindOf, prepare }: UploadRule): Uploader {
  const [box] = useState<{ open: Uploader | null }>({ open: null })
  useEffect(
    () => () => {
      box.open?.close()
      box.open = null
    },
    [box, purpose, kind, kindOf, prepare],
  )
  return {
    send: (file, travel) => (box.open ??= openUploader({ purpose, prepare, ...(kind === undefined ? {} : { kind }), ...(kindOf === undefined ? {} : { kindOf }) })).send(file, travel),
    close: () => box.open?.close(),
  }
}
