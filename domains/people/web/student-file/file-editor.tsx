import type { PersonFile } from '@campus/people/contract'
import { confirmDanger, usePage } from '@kit/web'
import { Alert, Button, Drawer, Form, Skeleton } from 'antd'
import { useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { FileForm, form_name } from './file-form.tsx'
import { emptyValues, patchOf, valuesOf } from './form-values.ts'
import type { FileValues } from './form-values.ts'
import { StaleDialog } from './stale-dialog.tsx'
import { useFile } from './use-file.ts'
import { useSave } from './use-save.tsx'
import './student-file.css'

type Props = { user_id?: string; dept_id?: string; onClose: () => void }

/** Writes a pupil's file: a new one without `user_id`, else the one of that pupil. */
export function FileEditor({ user_id, dept_id, onClose }: Props): ReactNode {
  const { file, failed, read_at, refresh } = useFile(user_id, { once: true })
  if (user_id === undefined) return <EditorDrawer before={emptyValues(dept_id)} onClose={onClose} reload={onClose} />
  if (file) return <EditorDrawer key={read_at} file={file} before={valuesOf(file)} onClose={onClose} reload={refresh} />
  return (
    <Drawer open title="编辑学生档案" size={960} onClose={onClose}>
      {failed ? <Alert type="error" showIcon title={failed} action={<Button onClick={refresh}>重试</Button>} /> : <Skeleton active paragraph={{ rows: 12 }} />}
    </Drawer>
  )
}

function EditorDrawer({ file, before, onClose, reload }: { file?: PersonFile; before: FileValues; onClose: () => void; reload: () => void }): ReactNode {
  const { active } = usePage()
  const [form] = Form.useForm<FileValues>()
  const [known] = useState(before)
  const saving = useSave({ form, user_id: file?.user_id, row_version: file?.row_version, before: known, onSaved: onClose })
  const is_dirty = () => (file ? patchOf(known, form.getFieldsValue(true)) !== null : form.isFieldsTouched())
  const leave = async () => {
    if (!is_dirty() || (await confirmDanger({ title: '内容尚未保存，确定关闭吗？', ok: '放弃修改' }))) onClose()
  }
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.ctrlKey && !saving.busy) void saving.save()
  }
  const title = file ? `编辑学生档案：${file.registry.user_name ?? ''}` : '新增学生'
  const footer = (
    <div className="file-footer">
      <span className="file-hint">红色 * 必填，灰色 * 为学籍要求项，计入完整度　Ctrl+Enter 保存</span>
      <Button onClick={() => void leave()}>取消</Button>
      <Button type="primary" loading={saving.busy} onClick={() => void saving.save()}>
        保存
      </Button>
    </div>
  )
  return (
    <>
      <Drawer open={active} title={title} size={960} mask={{ closable: false }} onClose={() => void leave()} onKeyDown={saveByKey} afterOpenChange={focusFirst} footer={footer} rootClassName="file-drawer">
        {saving.refused !== null && <Alert className="file-refused" type="warning" showIcon title={saving.refused} />}
        <FileForm form={form} file={file} before={known} />
      </Drawer>
      <StaleDialog stale={saving.stale} overwrite={() => void saving.overwrite()} discard={reload} goOn={saving.goOn} />
    </>
  )
}

/** The first field is ready for typing once the drawer has come in. */
function focusFirst(open: boolean): void {
  if (open) document.getElementById(`${form_name}_user_name`)?.focus()
}
