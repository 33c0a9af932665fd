import { identityErrors, roleGroupApi, RoleName } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useRolesChanged } from '../use-roles.ts'
import type { RoleGroup } from '../use-roles.ts'

/** Names a role group, a new one without `group`. */
export function GroupDialog({ group, onClose }: { group: RoleGroup | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<{ name: string }>()
  const { busy, refused, run } = useSaving(form, { [identityErrors.groupNameTaken.id]: 'name' })
  const changed = useRolesChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { role_group_id, row_version } = group ?? {}
    const send = role_group_id === undefined || row_version === undefined ? () => call(roleGroupApi.add, values, { quiet: true }) : () => call(roleGroupApi.edit, { role_group_id, row_version, ...values }, { quiet: true })
    if (!(await run(send, '操作成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={480} title={group ? '重命名角色组' : '新增角色组'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="role-group" layout="vertical" initialValues={{ name: group?.name ?? '' }}>
        <Form.Item name="name" label="名称" required rules={[ruleOf(RoleName)]}><Input maxLength={20} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
