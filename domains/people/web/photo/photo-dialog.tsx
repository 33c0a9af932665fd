import { importApi } from '@campus/jobs/contract'
import { most_photo_mb, most_photos, photoApi } from '@campus/people/contract'
import { AppModal, call, JobProgress, useJob, useSaving } from '@kit/web'
import { FileZipOutlined, FolderOpenOutlined } from '@ant-design/icons'
import { Alert, Button, Progress } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { packFiles } from './pack.ts'
import type { PhotoKind } from './photo-kind.ts'
import './photo.css'

const mebi = 1024 * 1024
const pictures = /\.(?:jpe?g|png|gif|webp)$/i
const picks_folder = { webkitdirectory: '' }
const numbers = { student: '学号', teacher: '工号' } as const
type Props = { kind: PhotoKind; title: string; onBatch: (batch_no: string) => void; onClose: () => void }

/** Brings pictures in: an archive as it is, or those of a folder packed into one; shows how far the server has read them, then opens the check. */
export function PhotoDialog({ kind, title, onBatch, onClose }: Props): ReactNode {
  const [wrong, setWrong] = useState<string | null>(null)
  const [part, setPart] = useState<number | null>(null)
  const [job_no, setJob] = useState<string | null>(null)
  const { busy, refused, run } = useSaving()
  const job = useJob(job_no)
  useBatchOf(`${kind}_photo`, job?.state, onBatch)
  const send = (file: File) => run(async () => {
    setPart(0)
    const { job_no: started } = await call(photoApi[kind], {}, { file, onProgress: setPart, quiet: true })
    setJob(started)
  }).finally(() => setPart(null))
  const takeZip = (file: File) => {
    const fault = !/\.zip$/i.test(file.name) ? '请选择 zip 压缩包' : file.size > most_photo_mb * mebi ? `压缩包不能超过${most_photo_mb}MB，请分批打包` : null
    setWrong(fault)
    if (fault === null) void send(file)
  }
  const takeFolder = async (files: readonly File[]) => {
    const chosen = files.filter(file => pictures.test(file.name))
    const fault = folderFault(chosen)
    setWrong(fault)
    if (fault === null) await send(new File([await packFiles(chosen.map(file => ({ name: file.name, bytes: file })))], '照片.zip', { type: 'application/zip' }))
  }
  const failed = job !== undefined && (job.state === 'failed' || job.state === 'cancelled')
  return (
    <AppModal open title={title} width={560} onCancel={onClose} footer={<Button onClick={onClose}>关闭</Button>}>
      <p>{`文件名写${numbers[kind]}、身份证件号，或“${kind === 'student' ? '班级' : '部门'}_姓名”，如 ${kind === 'student' ? '20250101.jpg、一年级1班_王子涵.jpg' : 'T2025001.jpg、教务处_陈晓华.jpg'}。读取后先核对，确认后才写入，30天内可以撤销。`}</p>
      {(job_no === null || failed) && part === null && (
        <div className="photo-picks">
          <Pick icon={<FileZipOutlined aria-hidden />} label="选择压缩包" hint={`zip，不超过${most_photo_mb}MB`} disabled={busy} input={{ accept: '.zip' }} take={([file]) => file && takeZip(file)} />
          <Pick icon={<FolderOpenOutlined aria-hidden />} label="选择文件夹" hint={`不超过${most_photos}张照片`} disabled={busy} input={picks_folder} take={files => void takeFolder(files)} />
        </div>
      )}
      {part !== null && <div role="status">正在上传<Progress percent={Math.floor(part * 100)} /></div>}
      {job && <JobProgress job={job} />}
      {(wrong ?? refused) !== null && <Alert type="error" showIcon title={wrong ?? refused} />}
    </AppModal>
  )
}

function folderFault(files: readonly File[]): string | null {
  if (files.length === 0) return '文件夹中没有照片，请选择存放 jpg、png 照片的文件夹'
  if (files.length > most_photos) return `一次最多选择${most_photos}张照片，更多请打包成 zip 上传`
  return files.reduce((sum, file) => sum + file.size, 0) > most_photo_mb * mebi ? `照片合计不能超过${most_photo_mb}MB，请分批选择` : null
}

type PickProps = { icon: ReactNode; label: string; hint: string; disabled: boolean; input: { accept?: string; webkitdirectory?: string }; take: (files: File[]) => void }

/** A button that opens the picker of the system. */
function Pick({ icon, label, hint, disabled, input, take }: PickProps): ReactNode {
  const field = useRef<HTMLInputElement>(null)
  return (
    <div>
      <Button icon={icon} disabled={disabled} onClick={() => field.current?.click()}>{label}</Button>
      <span className="photo-hint">{hint}</span>
      <input ref={field} type="file" hidden aria-label={label} {...input} onChange={event => {
        take([...(event.target.files ?? [])])
        event.target.value = ''
      }} />
    </div>
  )
}

/** Once the pictures are read, the list they became is the person's latest batch. */
function useBatchOf(template: string, state: string | undefined, onBatch: (batch_no: string) => void): void {
  const told = useRef(onBatch)
  useEffect(() => {
    told.current = onBatch
  })
  useEffect(() => {
    if (state !== 'succeeded') return
    void call(importApi.batches, { template, mine: '1' }, { quiet: true }).then(({ list: [latest] }) => latest && told.current(latest.batch_no)).catch(() => undefined)
  }, [template, state])
}
