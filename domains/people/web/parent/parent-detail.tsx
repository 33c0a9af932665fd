import { parentApi, parentFileApi } from '@campus/people/contract'
import type { ParentFile } from '@campus/people/contract'
import { AppDrawer, call, CallError, dictionaryName, mayDiscard, toast, useCan, useSaving } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Form } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { PlateField } from '../plate-field.tsx'
import { validated } from '../refused.ts'
import { FileSkeleton } from '../student-file/file-skeleton.tsx'
import { ParentChildren } from './parent-children.tsx'
import '../student-file/student-file.css'
import '../staff/staff.css'

type Values = { plates: string[] }
const homes = { 'people.plateTaken': 'plates' }

/** What is known of a guardian, and his plates; names and numbers are changed in the file of a child. */
export function ParentDetail({ user_id, onClose }: { user_id: string; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const may_edit = useCan(parentFileApi.plates)
  const client = useQueryClient()
  const { data: file, error, refetch } = useQuery({ queryKey: [parentFileApi.detail.call, user_id], queryFn: ({ signal }) => call(parentFileApi.detail, { id: user_id }, { signal, quiet: true }) })
  const { busy, refused, run } = useSaving(form, homes)
  const failed = file ? null : error instanceof CallError ? error.msg || '网络异常，请稍后重试' : error ? '加载失败' : null
  const close = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const save = async () => {
    const values = await validated(form)
    if (!values || !file) return
    const done = await run(() => call(parentFileApi.plates, { id: user_id, row_version: file.row_version, plates: values.plates }, { quiet: true }))
    if (!done) return
    toast.success('保存成功')
    for (const key of [parentFileApi.detail.call, parentApi.list.call]) void client.invalidateQueries({ queryKey: [key] })
    onClose()
  }
  return (
    <AppDrawer title="家长档案" size={560} onClose={() => void close()} extra={may_edit && <Button type="primary" disabled={!file} loading={busy} onClick={() => void save()}>保存</Button>}>
      {failed !== null && <LoadFailed text={failed} again={() => void refetch()} />}
      {!file && failed === null && <FileSkeleton />}
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      {file && <Body file={file} form={form} may_edit={may_edit} onClose={onClose} />}
    </AppDrawer>
  )
}

function Body({ file, form, may_edit, onClose }: { file: ParentFile; form: FormInstance<Values>; may_edit: boolean; onClose: () => void }): ReactNode {
  return (
    <>
      <h3 className="staff-title">{file.user_name}</h3>
      <dl className="staff-facts">
        <Fact label="手机号" text={file.mobile ?? ''} />
        <Fact label="工作单位" text={file.work ?? ''} />
        <Fact label="学历" text={file.edu === null ? '' : dictionaryName('EDU_LEVEL', file.edu)} />
        {!may_edit && <Fact label="车牌号" text={file.plates.join('；')} />}
      </dl>
      <h3 className="staff-title">孩子</h3>
      <ParentChildren file={file} onGone={onClose} />
      {may_edit && <Form form={form} layout="vertical" initialValues={{ plates: file.plates }}><PlateField /></Form>}
    </>
  )
}

function Fact({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text || '—'}</dd>
    </div>
  )
}
