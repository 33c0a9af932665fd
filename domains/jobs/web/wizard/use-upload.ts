import { importApi } from '@campus/jobs/contract'
import { call, toast } from '@kit/web'
import { useEffect, useRef, useState } from 'react'
import { useLeaveWarning } from '../leave-warning.ts'
import { isPassing, refusalText } from '../refusal.ts'
import { adviceFor, checkFile } from './file-check.ts'
import type { FileRefusal } from './file-check.ts'
import { useKeepBatch } from './use-batch.ts'

/** What the upload box may take. */
export const upload_limit = importApi.upload.details.upload ?? { max_mb: 0, extensions: [] }

type Failure = FileRefusal & {
  /** the file, when sending it once more may help */
  again?: File
}
export type Upload = {
  sending: { name: string; part: number } | undefined
  failure: Failure | undefined
  take: (file: File) => Promise<void>
  stop: () => void
}

/** Sends a file and hands over the batch it became. Leaving the wizard does not stop it: the file is found among the latest imports. */
export function useUpload(template: string, onBatch: (batch_no: string) => void): Upload {
  const [sending, setSending] = useState<Upload['sending']>()
  const [failure, setFailure] = useState<Failure>()
  const keep = useKeepBatch()
  const running = useRef<AbortController>(undefined)
  const is_here = useIsHere()
  useLeaveWarning(sending !== undefined)
  const take = async (file: File) => {
    const refused = checkFile(file, upload_limit)
    setFailure(refused ?? undefined)
    if (refused) return
    const abort = new AbortController()
    running.current = abort
    setSending({ name: file.name, part: 0 })
    try {
      const onProgress = (part: number) => setSending({ name: file.name, part })
      const batch = await call(importApi.upload, { code: template }, { file, onProgress, signal: abort.signal, quiet: true })
      keep(batch)
      if (is_here.current) onBatch(batch.batch_no)
      else toast.success(`${file.name} 已上传，可从“最近的导入”继续`)
    } catch (cause) {
      if (abort.signal.aborted) return
      setFailure(failureOf(cause, file))
      if (!is_here.current) toast.error(`${file.name} 上传失败：${refusalText(cause)}`)
    } finally {
      setSending(undefined)
    }
  }
  return { sending, failure, take, stop: () => running.current?.abort() }
}

function failureOf(cause: unknown, file: File): Failure {
  const msg = refusalText(cause)
  if (!isPassing(cause)) return { msg, advice: adviceFor(msg) }
  return { msg, advice: `${file.name} 没有传完，文件没有问题也不用重新选择，稍后点击“重试”。`, again: file }
}

function useIsHere(): { readonly current: boolean } {
  const is_here = useRef(true)
  useEffect(() => {
    is_here.current = true
    return () => {
      is_here.current = false
    }
  }, [])
  return is_here
}
