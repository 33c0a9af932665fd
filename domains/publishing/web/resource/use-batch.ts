import { resourceApi } from '@campus/publishing/contract'
import { call, sentenceOf, toast } from '@kit/web'
import type { Uploaded } from '@kit/web/upload'
import { useState } from 'react'

/** So many files go in one call, so that none of them takes long. */
const at_once = 20
type Batch = { resource_type: number; folder_id: string | null; label_ids?: string[]; files: readonly Uploaded[] }

/** Takes uploaded files into a library; `notes` say what was refused or is there twice. `add` answers whether all of them were taken. */
export function useBatch(): { busy: boolean; failure: string | null; notes: readonly string[]; add: (batch: Batch) => Promise<boolean> } {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [notes, setNotes] = useState<readonly string[]>([])
  const add = async ({ files, ...into }: Batch) => {
    setBusy(true)
    setFailure(null)
    const parts = Array.from({ length: Math.ceil(files.length / at_once) }, (_, at) => files.slice(at * at_once, (at + 1) * at_once))
    const said: string[] = []
    let added = 0
    try {
      for (const part of parts) {
        const asked = part.map(file => ({ file_key: file.file_key, name: file.file_name }))
        const answer = await call(resourceApi.add, { ...into, files: asked }, { quiet: true })
        added += answer.added
        for (const { file_key, failed, taken } of answer.list) said.push(...notesOf(part, file_key, failed ?? taken))
      }
    } catch (cause) {
      setFailure(sentenceOf(cause))
      said.push('其余文件没有保存')
    }
    setBusy(false)
    setNotes(said)
    if (added > 0) toast.success(`已保存 ${added} 个`)
    return said.length === 0
  }
  return { busy, failure, notes, add }
}

function notesOf(files: readonly Uploaded[], file_key: string, note: string | null): string[] {
  return note === null ? [] : [`${files.find(file => file.file_key === file_key)?.file_name ?? ''}：${note}`]
}
