import { importApi } from '@campus/jobs/contract'
import { InboxOutlined } from '@ant-design/icons'
import { call, CallError } from '@kit/web'
import { Alert, Button, Progress } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { adviceFor, checkFile } from './file-check.ts'
import type { FileRefusal } from './file-check.ts'
import { useKeepBatch } from './use-batch.ts'

const limit = importApi.upload.details.upload ?? { max_mb: 0, extensions: [] }
const kinds = limit.extensions.join('、')

/** Takes a file by dragging or choosing and sends it; a refused file says why and what to do. */
export function UploadBox({ template, onBatch }: { template: string; onBatch: (batch_no: string) => void }): ReactNode {
  const [over, setOver] = useState(false)
  const { sending, refusal, take, stop } = useUpload(template, onBatch)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) void take(file)
  }
  if (sending) return <Sending {...sending} stop={stop} />
  return (
    <>
      <button
        type="button"
        className={over ? 'import-drop import-drop-over' : 'import-drop'}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <InboxOutlined aria-hidden />
        <span>把文件拖到这里，或点击选择文件</span>
        <small>{`支持 ${kinds}，不超过 ${limit.max_mb} MB、20,000 行`}</small>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择文件"
        accept={limit.extensions.join(',')}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void take(file)
          event.target.value = ''
        }}
      />
      {refusal && <Alert type="error" showIcon title={refusal.msg} description={refusal.advice} />}
    </>
  )
}

function Sending({ name, part, stop }: { name: string; part: number; stop: () => void }): ReactNode {
  return (
    <div className="import-sending" role="status">
      <span>{part < 1 ? `正在上传 ${name}` : `已上传 ${name}，正在检查文件`}</span>
      <Progress percent={Math.floor(part * 100)} status="active" aria-label="上传进度" />
      <Button size="small" onClick={stop}>取消上传</Button>
    </div>
  )
}

type Upload = {
  sending: { name: string; part: number } | undefined
  refusal: FileRefusal | undefined
  take: (file: File) => Promise<void>
  stop: () => void
}

function useUpload(template: string, onBatch: (batch_no: string) => void): Upload {
  const [sending, setSending] = useState<Upload['sending']>()
  const [refusal, setRefusal] = useState<FileRefusal>()
  const keep = useKeepBatch()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const take = async (file: File) => {
    const refused = checkFile(file, limit)
    setRefusal(refused ?? undefined)
    if (refused) return
    const abort = new AbortController()
    running.current = abort
    setSending({ name: file.name, part: 0 })
    try {
      const onProgress = (part: number) => setSending({ name: file.name, part })
      const batch = await call(importApi.upload, { code: template }, { file, onProgress, signal: abort.signal, quiet: true })
      keep(batch)
      onBatch(batch.batch_no)
    } catch (cause) {
      if (!abort.signal.aborted) setRefusal(refusalOf(cause))
    } finally {
      setSending(undefined)
    }
  }
  return { sending, refusal, take, stop: () => running.current?.abort() }
}

function refusalOf(cause: unknown): FileRefusal {
  const msg = cause instanceof CallError && cause.msg !== '' ? cause.msg : '网络异常，请检查网络'
  return { msg, advice: adviceFor(msg) }
}
