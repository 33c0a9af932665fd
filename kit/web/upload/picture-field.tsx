import { Alert, Button, Progress } from 'antd'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../form/use-saving.ts'
import type { CropRule } from './crop.ts'
import { CropDialog } from './crop-dialog.tsx'
import './upload.css'
import { useUploader } from './use-uploader.ts'
import type { UploadRule } from './uploader.ts'

const types = '.png,.jpg,.jpeg,.webp'

export type PictureFieldProps = {
  /** what the picture is: 校徽 */
  title: string
  rule: UploadRule
  /** the picture is cut before it is sent */
  crop?: CropRule
  /** where the present picture is shown from; null without one */
  address: string | null
  hint?: string
  disabled?: boolean
  /** takes the uploaded picture into use; what it throws stands below the picture */
  onChange: (file_key: string) => Promise<unknown>
  onRemove?: () => Promise<unknown>
}

/** One picture with the ways to change it: choose, cut, upload with progress and a way back, remove. */
export function PictureField({ title, rule, crop, address, hint, disabled = false, onChange, onRemove }: PictureFieldProps): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  const [cutting, setCutting] = useState<File | null>(null)
  const { part, failed, upload, cancel, run } = usePictureUpload(rule, onChange)
  const choose = (file: File) => (crop ? setCutting(file) : void upload(file))
  return (
    <div className="picture-field">
      <div className="picture-field-frame">{address === null ? <span>未设置</span> : <img src={address} alt={`当前${title}`} />}</div>
      {hint !== undefined && <p className="picture-field-hint">{hint}</p>}
      {part !== null && (
        <div className="picture-field-progress">
          <Progress percent={Math.round(part * 100)} size="small" aria-label={`正在上传${title}`} />
          <Button size="small" type="link" onClick={cancel}>取消</Button>
        </div>
      )}
      {failed !== null && <Alert type="error" showIcon title={failed} />}
      {!disabled && (
        <>
          <input ref={box} type="file" accept={types} hidden aria-label={`选择${title}文件`} onChange={({ target }) => {
            const [file] = target.files ?? []
            // The same file may be chosen again.
            target.value = ''
            if (file) choose(file)
          }} />
          <div className="picture-field-buttons">
            <Button loading={part !== null} onClick={() => box.current?.click()}>{address === null ? '上传' : '更换'}{title}</Button>
            {address !== null && onRemove && <Button type="text" danger disabled={part !== null} onClick={() => void run(onRemove)}>移除</Button>}
          </div>
        </>
      )}
      {crop && cutting && (
        <CropDialog file={cutting} title={title} rule={crop} onCancel={() => setCutting(null)} onCut={file => {
          setCutting(null)
          void upload(file)
        }} />
      )}
    </div>
  )
}

function usePictureUpload(rule: UploadRule, onChange: PictureFieldProps['onChange']) {
  const uploader = useUploader(rule)
  const [part, setPart] = useState<number | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const [way, setWay] = useState<AbortController | null>(null)
  const run = async (work: () => Promise<unknown>) => {
    setFailed(null)
    try {
      await work()
    } catch (cause) {
      setFailed(sentenceOf(cause))
    }
  }
  const upload = async (file: File) => {
    const stop = new AbortController()
    setWay(stop)
    setPart(0)
    await run(async () => {
      const sent = await uploader.send(file, { signal: stop.signal, onProgress: setPart }).catch((cause: unknown) => {
        if (stop.signal.aborted) return null
        throw cause
      })
      if (sent) await onChange(sent.file_key)
    })
    setPart(null)
  }
  return { part, failed, run, upload, cancel: () => way?.abort() }
}
