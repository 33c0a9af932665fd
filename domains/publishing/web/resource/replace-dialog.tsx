import { resourceApi } from '@campus/publishing/contract'
import { AppModal, call, mayDiscard, useSaving } from '@kit/web'
import { UploadField } from '@kit/web/upload'
import type { Uploaded } from '@kit/web/upload'
import { Alert, Form } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Kind } from './kinds.ts'

type Resource = { id: string; resource_name: string; usage_count: number }
type Props = { kind: Kind; resource: Resource; onClose: () => void; onDone: () => void }

/** Another file under the same resource: where it is published it is shown in its place (chapter 60 §4.5). */
export function ReplaceDialog({ kind, resource: { id, resource_name, usage_count }, onClose, onDone }: Props): ReactNode {
  const [files, setFiles] = useState<readonly Uploaded[]>([])
  const [form] = Form.useForm()
  const { busy, refused, run } = useSaving(form)
  const [file] = files
  const save = async () => {
    if (!file) return
    const asked = { id, file_key: file.file_key, name: file.file_name }
    if (!(await run(() => call(resourceApi.replace, asked, { quiet: true }), '替换成功'))) return
    onDone()
    onClose()
  }
  const close = async () => {
    if (!file || (await mayDiscard())) onClose()
  }
  const frame = { okText: '替换', okButtonProps: { disabled: !file }, confirmLoading: busy }
  return (
    <AppModal open width={520} title={`替换“${resource_name}”`} {...frame} onOk={() => void save()} onCancel={() => void close()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{usage_count > 0 ? `已发布到${usage_count}处，替换后班牌下载新文件再切换。` : '名称、标签和所在位置不变。'}</p>
      <UploadField
        value={files}
        onChange={setFiles}
        rule={{ purpose: 'resource', kind: String(kind.type), prepare: 'as_is' }}
        extensions={kind.extensions}
        most={1}
        hint={kind.hint}
      />
    </AppModal>
  )
}
