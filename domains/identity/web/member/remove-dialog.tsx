import { memberApi } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppModal, call, toast, useSaving } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import type { MemberLine } from './use-member-list.ts'

const most_named = 8

type Props = { role: RoleRow; rows: readonly MemberLine[]; onClose: () => void; onChanged: () => Promise<void> }

/** Ends memberships now; says how many and what it does. All or nobody: one refusal keeps everybody. */
export function RemoveDialog({ role, rows, onClose, onChanged }: Props): ReactNode {
  const [form] = Form.useForm<{ reason?: string }>()
  const { busy, refused, run } = useSaving(form)
  const online = rows.filter(row => row.member?.online).length
  const names = rows.slice(0, most_named).map(row => row.user_name).join('、')
  const remove = () => run(async () => {
    const { ended, sessions } = await call(memberApi.remove, { role_nos: rows.map(row => row.key), reason: form.getFieldsValue().reason?.trim() || undefined }, { quiet: true })
    toast.success(sessions > 0 ? `已移除${ended}人，${sessions}个登录已下线` : `已移除${ended}人`)
    await onChanged()
    onClose()
  })
  return (
    <AppModal open width={480} title={`移除${rows.length}名成员？`} okText="移除" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void remove()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="role-note">{names}{rows.length > most_named && `等${rows.length}人`}将立即失去“{role.name}”的身份{online > 0 && `，其中${online}人在线，会立即下线`}。记录保留在“已结束”中，需要时可重新添加。</p>
      <Form form={form} name="member-remove" layout="vertical">
        <Form.Item name="reason" label="原因"><Input maxLength={100} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
