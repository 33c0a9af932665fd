import { size } from '@kit/contract/checks'
import { Button, Progress } from 'antd'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import './upload.css'
import { useUploads } from './use-uploads.ts'
import type { Uploads, Waiting } from './use-uploads.ts'
import type { Uploaded, UploadRule } from './uploader.ts'

export type UploadFieldProps = {
  /** set by Form.Item */
  id?: string
  value?: readonly Uploaded[]
  onChange?: (files: readonly Uploaded[]) => void
  rule: UploadRule
  /** extensions with their dots */
  extensions: readonly string[]
  most?: number
  hint?: string
  disabled?: boolean
}

const usual_most = 9
const none: readonly Uploaded[] = []

/** A form part for files: choose or drop several, each with its size, progress by bytes and a way back; a refused one says why and can be sent again. */
export function UploadField({ id, value = none, onChange, rule, extensions, most = usual_most, hint, disabled = false }: UploadFieldProps): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  // Files arrive one after the other while the form may not have drawn itself anew.
  const kept = useRef(value)
  useEffect(() => {
    kept.current = value
  }, [value])
  const change = (files: readonly Uploaded[]) => {
    kept.current = files
    onChange?.(files)
  }
  const uploads = useUploads(rule, most - value.length, file => change([...kept.current, file]))
  const is_full = value.length + uploads.waiting.length >= most
  const choose = (files: FileList | null) => files && uploads.add([...files])
  return (
    <div className="upload-field" onDragOver={event => event.preventDefault()} onDrop={event => {
      event.preventDefault()
      if (!disabled && !is_full) choose(event.dataTransfer.files)
    }}>
      <input ref={box} type="file" multiple={most > 1} accept={extensions.join(',')} hidden aria-label="选择文件" onChange={({ target }) => {
        choose(target.files)
        target.value = ''
      }} />
      {!disabled && <div><Button id={id} disabled={is_full} onClick={() => box.current?.click()}>选择文件</Button></div>}
      {hint !== undefined && <p className="upload-field-hint">{hint}</p>}
      <ul className="upload-field-list">
        {value.map(file => (
          <li key={file.file_key}>
            <span title={file.file_name}>{file.file_name}</span>
            <span className="upload-field-size">{size(file.size)}</span>
            {!disabled && <Button type="text" size="small" aria-label={`移除${file.file_name}`} onClick={() => change(kept.current.filter(one => one !== file))}>移除</Button>}
          </li>
        ))}
        {uploads.waiting.map(entry => <WaitingLine key={entry.id} entry={entry} uploads={uploads} />)}
      </ul>
    </div>
  )
}

function WaitingLine({ entry: { id, file, part, failed }, uploads }: { entry: Waiting; uploads: Uploads }): ReactNode {
  return (
    <li>
      <span title={file.name}>{file.name}</span>
      <span className="upload-field-size">{size(file.size)}</span>
      <span>
        {failed !== null && <Button type="link" size="small" onClick={() => uploads.retry(id)}>重试</Button>}
        <Button type="text" size="small" aria-label={`取消上传${file.name}`} onClick={() => uploads.drop(id)}>{failed === null ? '取消' : '移除'}</Button>
      </span>
      {failed === null ? <Progress percent={Math.round((part ?? 0) * 100)} size="small" aria-label={`正在上传${file.name}`} /> : <span className="upload-field-failed" role="alert">{failed}</span>}
    </li>
  )
}
