import { InboxOutlined } from '@ant-design/icons'
import { Alert, Button, Progress } from 'antd'
import { useLayoutEffect, useRef, useState } from 'react'
import type { DragEvent, ReactNode, RefObject } from 'react'
import { hasNoFocus } from './use-step-focus.ts'
import { upload_limit, useUpload } from './use-upload.ts'
import type { Upload } from './use-upload.ts'

const { extensions, max_mb } = upload_limit

/** Takes a file by dragging or choosing and sends it; a refused file says why and what to do, one that did not arrive can be sent once more. */
export function UploadBox({ template, onBatch }: { template: string; onBatch: (batch_no: string) => void }): ReactNode {
  const upload = useUpload(template, onBatch)
  const { sending, failure, take, stop } = upload
  const zone = useFocusBack(upload)
  if (sending) return <Sending {...sending} stop={stop} />
  return (
    <>
      <DropZone zone={zone} take={(file) => void take(file)} />
      {failure && (
        <Alert
          type="error"
          showIcon
          title={failure.msg}
          description={failure.advice}
          action={failure.again && <Button onClick={() => failure.again && void take(failure.again)}>重试</Button>}
        />
      )}
    </>
  )
}

function DropZone({ zone, take }: { zone: RefObject<HTMLButtonElement | null>; take: (file: File) => void }): ReactNode {
  const [over, setOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) take(file)
  }
  return (
    <>
      <button
        ref={zone}
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
        <small>{`支持 ${extensions.join('、')}，不超过 ${max_mb} MB、20,000 行`}</small>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择文件"
        accept={extensions.join(',')}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) take(file)
          event.target.value = ''
        }}
      />
    </>
  )
}

function Sending({ name, part, stop }: { name: string; part: number; stop: () => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  // The zone that was pressed has made room for this.
  useLayoutEffect(() => box.current?.focus(), [])
  return (
    <div ref={box} className="import-sending" tabIndex={-1}>
      <span role="status">{part < 1 ? `正在上传 ${name}` : `已上传 ${name}，正在检查文件`}</span>
      <Progress percent={Math.floor(part * 100)} status="active" aria-label="上传进度" />
      <Button size="small" onClick={stop}>取消上传</Button>
    </div>
  )
}

// A sending that ended without a batch took the focus with it.
function useFocusBack({ sending }: Upload): RefObject<HTMLButtonElement | null> {
  const zone = useRef<HTMLButtonElement>(null)
  const was_sending = useRef(false)
  useLayoutEffect(() => {
    if (was_sending.current && !sending && hasNoFocus()) zone.current?.focus()
    was_sending.current = sending !== undefined
  }, [sending])
  return zone
}
