import type { DeptFile, DeptTreeNode } from '@campus/people/contract'
import { AppModal, confirmDanger, dictionaryName, schoolToday } from '@kit/web'
import { Alert, Button, Form, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { StaleDialog } from '../stale-dialog.tsx'
import type { Division } from './board.ts'
import { DeptForm } from './dept-form.tsx'
import { everyNode, nodeOf, typeWord } from './dept-place.ts'
import { differencesOf, newValues, patchOf, valuesOf } from './dept-values.ts'
import type { DeptValues, Words } from './dept-values.ts'
import { useDeptFile } from './use-dept-file.ts'
import { useSaveDept } from './use-save-dept.ts'
import { Versions } from './versions.tsx'

type Around = { tree: readonly DeptTreeNode[]; board: readonly Division[]; onClose: () => void }

/** A new department of this kind. */
export function NewDept({ parent_id, dept_type, ...around }: Around & { parent_id: string; dept_type: number }): ReactNode {
  const parent = nodeOf(around.tree, parent_id)
  const [before] = useState(() => parent && newValues(dept_type, parent, around.board, schoolToday()))
  if (!before) return null
  return <EditorDialog {...around} title={`新增${typeWord(dept_type)}`} dept_type={dept_type} before={before} file={undefined} reload={around.onClose} />
}

/** A known department, as it was when the dialog opened. */
export function KnownDept({ id, ...around }: Around & { id: string }): ReactNode {
  const { file, failed, read_at, refresh } = useDeptFile(id)
  const name = nodeOf(around.tree, id)?.dept_name ?? ''
  if (file) return <EditorDialog key={read_at} {...around} title={`编辑${typeWord(file.dept_type)}：${file.dept_name}`} dept_type={file.dept_type} before={valuesOf(file, schoolToday())} file={file} reload={refresh} />
  return (
    <AppModal open width={720} title={`编辑 ${name}`} footer={null} onCancel={around.onClose}>
      {failed === null ? <Skeleton active paragraph={{ rows: 6 }} /> : <Alert type="error" showIcon title={failed} action={<Button onClick={refresh}>重试</Button>} />}
    </AppModal>
  )
}

type Props = Around & { title: string; dept_type: number; before: DeptValues; file: DeptFile | undefined; reload: () => void }

function EditorDialog({ tree, board, title, dept_type, before, file, onClose, reload }: Props): ReactNode {
  const [form] = Form.useForm<DeptValues>()
  const [known] = useState(before)
  const saving = useSaveDept({ form, dept_type, file, before: known, onSaved: onClose })
  const is_dirty = () => (file ? patchOf(known, form.getFieldsValue(true)) !== null : form.isFieldsTouched())
  const leave = async () => {
    if (!is_dirty() || (await confirmDanger({ title: '内容尚未保存，确定关闭吗？', ok: '放弃修改' }))) onClose()
  }
  const theirs = saving.stale?.file
  const differences = theirs ? differencesOf(known, form.getFieldsValue(true), valuesOf(theirs, known.effective_on), wordsOf(tree, [file, theirs])) : null
  return (
    <>
      <AppModal open width={720} title={title} okText="保存" confirmLoading={saving.busy} onOk={() => void saving.save()} onCancel={() => void leave()}>
        {saving.refused !== null && <Alert className="org-refused" type="warning" showIcon title={saving.refused} />}
        <DeptForm form={form} dept_type={dept_type} before={known} file={file} tree={tree} board={board} today={schoolToday()} />
        {file && <Versions file={file} />}
      </AppModal>
      <StaleDialog what="该部门" by={saving.stale?.by ?? null} fields={differences} overwrite={() => void saving.overwrite()} discard={reload} goOn={saving.goOn} />
    </>
  )
}

/** Names for ids and codes, from what the two versions know. */
function wordsOf(tree: readonly DeptTreeNode[], files: readonly (DeptFile | undefined)[]): Words {
  const people = files.flatMap(file => (file ? [...(file.head ? [file.head] : []), ...file.vices] : []))
  const nameOf = (user_id: string) => people.find(person => person.user_id === user_id)?.user_name ?? '新选择的人员'
  return {
    parent_id: id => everyNode(tree).find(node => node.id === id)?.dept_name ?? id,
    class_type: code => dictionaryName('CLASS_TYPE', code),
    head_user_id: nameOf,
    vice_user_ids: nameOf,
    remarks: said => said.slice(said.indexOf(':') + 1),
  }
}
