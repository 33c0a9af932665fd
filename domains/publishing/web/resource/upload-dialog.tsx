import { most_in_batch } from '@campus/publishing/contract'
import { AppModal, mayDiscard } from '@kit/web'
import { UploadField } from '@kit/web/upload'
import type { Uploaded } from '@kit/web/upload'
import { useState } from 'react'
import { Alert, Form, Switch } from 'antd'
import type { ReactNode } from 'react'
import type { Kind } from './kinds.ts'
import { useBatch } from './use-batch.ts'
import './resource.css'

type Props = { kind: Kind; folder_id: string | undefined; onClose: () => void; onDone: () => void }

/** Several files at once into a library; those that are refused say why and the others stay (chapter 60 §6). */
export function UploadDialog({ kind, folder_id, onClose, onDone }: Props): ReactNode {
  const [files, setFiles] = useState<readonly Uploaded[]>([])
  const [is_large, setLarge] = useState(false)
  const batch = useBatch()
  const save = async () => {
    const is_whole = await batch.add({ resource_type: kind.type, folder_id: folder_id ?? null, files })
    setFiles([])
    onDone()
    if (is_whole) onClose()
  }
  const close = async () => {
    if (files.length === 0 || (await mayDiscard())) onClose()
  }
  const prepare = kind.type === 1 && !is_large ? 'library' : 'as_is'
  return (
    <AppModal
      open
      width={560}
      title={`上传${kind.item}`}
      okText={`保存 ${files.length} 个`}
      okButtonProps={{ disabled: files.length === 0 }}
      confirmLoading={batch.busy}
      onOk={() => void save()}
      onCancel={() => void close()}
    >
      {batch.failure !== null && <Alert type="warning" showIcon title={batch.failure} />}
      {kind.type === 1 && (
        <Form.Item label="高清（班牌）" extra="上传原图，用于大屏；默认压缩到手机大小">
          <Switch checked={is_large} onChange={setLarge} />
        </Form.Item>
      )}
      <UploadField
        key={prepare}
        value={files}
        onChange={setFiles}
        rule={{ purpose: 'resource', kind: String(kind.type), prepare }}
        extensions={kind.extensions}
        most={most_in_batch}
        hint={`${kind.hint}；一次最多选择${most_in_batch}个文件，可拖入`}
      />
      {batch.notes.length > 0 && (
        <ul className="res-failures">
          {batch.notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </AppModal>
  )
}
