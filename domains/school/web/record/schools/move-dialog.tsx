import { schoolManageApi } from '@campus/school/contract'
import type { SchoolListRow } from '@campus/school/contract'
import { AppModal, call, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { schoolPorts } from '../../ports.ts'
import { useLoaded } from '../use-loaded.tsx'
import { move_words } from './move-words.ts'
import type { Move } from './move-words.ts'
import { PasswordItem } from './password-item.tsx'

type Values = { reason: string; school_name: string; password: string }
type Props = { move: Move; school: SchoolListRow; onClose: () => void; onMoved: () => Promise<unknown> }

const reason_rule = schoolManageApi.suspend.details.body?.shape.reason

/** Suspends, resumes or closes a school: says whom it touches, asks why and for the own password; a school is closed by its name. */
export function MoveDialog({ move, school, onClose, onMoved }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const { title, ok, done, touches } = move_words[move]
  const { school_id: id, school_name } = school
  // The list may be minutes old: who is there is asked again.
  const { data } = useLoaded(schoolManageApi.page, { keyword: String(id) })
  const present = data?.list.find(({ school_id }) => school_id === id) ?? school
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (await run(() => send(move, id, values), done)) await onMoved()
  }
  return (
    <AppModal open width={520} title={`${title}：${school_name}`} okText={ok} okButtonProps={{ danger: move !== 'resume' }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <Alert type={move === 'resume' ? 'info' : 'warning'} showIcon title={touches(present)} />
      {refused !== null && <Alert type="error" showIcon title={refused} className="record-refused" />}
      <Form form={form} name="school-move" layout="vertical" className="record-dialog">
        <Form.Item name="reason" label="原因" required rules={reason_rule && [ruleOf(reason_rule)]}><Input maxLength={60} showCount /></Form.Item>
        {move === 'close' && <Form.Item name="school_name" label={`请输入学校名称“${school_name}”`} required rules={[{ validator: (_rule, text) => (text === school_name ? Promise.resolve() : Promise.reject(new Error('输入的学校名称不一致，请重新输入'))) }]}><Input maxLength={60} autoComplete="off" /></Form.Item>}
        <PasswordItem />
      </Form>
    </AppModal>
  )
}

async function send(move: Move, id: number, { reason, school_name, password }: Values): Promise<unknown> {
  const recheck_token = await schoolPorts().recheck(password)
  const quiet = { quiet: true }
  if (move === 'close') return call(schoolManageApi.close, { id, reason, school_name, recheck_token }, quiet)
  return call(schoolManageApi[move], { id, reason, recheck_token }, quiet)
}
