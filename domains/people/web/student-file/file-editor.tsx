import type { PersonFile } from '@campus/people/contract'
import { AppDrawer, confirmDanger } from '@kit/web'
import { Alert, Button, Form } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { StaleDialog } from '../stale-dialog.tsx'
import { FileForm, form_name } from './file-form.tsx'
import { FileSkeleton } from './file-skeleton.tsx'
import { emptyValues, patchOf, valuesOf } from './form-values.ts'
import type { FileValues } from './form-values.ts'
import { useFile } from './use-file.ts'
import { MergeLink } from './merge-link.tsx'
import { useSave } from './use-save.tsx'
import './student-file.css'

type Props = { user_id?: string; dept_id?: string; onClose: () => void }

/** Writes a pupil's file: a new one without `user_id`, else the one of that pupil. One drawer from the first moment, whatever stands in it. */
export function FileEditor({ user_id, dept_id, onClose }: Props): ReactNode {
  const { file, failed, read_at, refresh } = useFile(user_id, { once: true })
  const [entered, setEntered] = useState(false)
  const acts = useRef<Acts>({ leave: onClose, save: () => undefined })
  const take = useCallback((next: Acts) => {
    acts.current = next
  }, [])
  const is_new = user_id === undefined
  const title = is_new ? '新增学生' : ['编辑学生档案', file?.registry.user_name].filter(Boolean).join('：')
  return (
    <AppDrawer title={title} size={960} mask={{ closable: false }} onClose={() => acts.current.leave()} onKeyDown={event => event.key === 'Enter' && event.ctrlKey && acts.current.save()} afterOpenChange={setEntered} rootClassName="file-drawer file-write">
      {failed !== null && <LoadFailed text={failed} again={refresh} />}
      {!is_new && !file && failed === null && <FileSkeleton />}
      {is_new && <Editor before={emptyValues(dept_id)} entered={entered} take={take} onClose={onClose} reload={onClose} />}
      {file && <Editor key={read_at} file={file} before={valuesOf(file)} entered={entered} take={take} onClose={onClose} reload={refresh} />}
    </AppDrawer>
  )
}

/** What the drawer does when it is asked to close, and on Ctrl+Enter. */
type Acts = { leave: () => void; save: () => void }

type EditorProps = {
  file?: PersonFile
  before: FileValues
  /** the drawer has come in */
  entered: boolean
  take: (acts: Acts) => void
  onClose: () => void
  reload: () => void
}

function Editor({ file, before, entered, take, onClose, reload }: EditorProps): ReactNode {
  const [form] = Form.useForm<FileValues>()
  const [known] = useState(before)
  const saving = useSave({ form, user_id: file?.user_id, row_version: file?.row_version, before: known, onSaved: onClose })
  const is_dirty = () => (file ? patchOf(known, form.getFieldsValue(true)) !== null : form.isFieldsTouched())
  const ask = async () => {
    if (!is_dirty() || (await confirmDanger({ title: '内容尚未保存，确定关闭吗？', ok: '放弃修改' }))) onClose()
  }
  useEffect(() => {
    take({ leave: () => void ask(), save: () => void (saving.busy || saving.save()) })
  })
  useFirstField(entered)
  return (
    <div className="file-editor">
      <div className="file-scroll">
        <FileForm form={form} file={file} before={known} />
      </div>
      {saving.refused !== null && <Alert className="file-refused" type="warning" showIcon title={saving.refused} action={saving.merge && <MergeLink way={saving.merge} />} />}
      <div className="file-footer">
        <span className="file-hint">红色 * 必填，灰色 * 为学籍要求项，计入完整度　Ctrl+Enter 保存</span>
        <Button onClick={() => void ask()}>取消</Button>
        <Button type="primary" loading={saving.busy} aria-disabled={saving.busy} onClick={() => void saving.save()}>
          保存
        </Button>
      </div>
      <StaleDialog what="这份档案" by={saving.stale?.changed_by ?? null} fields={saving.stale?.differences ?? null} overwrite={() => void saving.overwrite()} discard={reload} goOn={saving.goOn} />
    </div>
  )
}

/** The first field is ready for typing once the drawer has come in; whoever types in another one by then goes on there. */
function useFirstField(entered: boolean): void {
  useEffect(() => {
    const is_typing = document.activeElement?.closest('.file-editor')
    if (entered && !is_typing) document.getElementById(`${form_name}_user_name`)?.focus()
  }, [entered])
}
