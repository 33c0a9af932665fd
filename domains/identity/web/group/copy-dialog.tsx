import { identityErrors, roleApi, RoleName } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { scopeText } from '../role-words.ts'
import { useRolesChanged } from '../use-roles.ts'

const name_max = 20
const mark = '副本'

type Props = { role: RoleRow; onClose: () => void; onCopied: (role_group_id: string) => void }

/** Makes a role of the school's own from another: its permissions and scopes come along, its members do not. */
export function CopyDialog({ role, onClose, onCopied }: Props): ReactNode {
  const [form] = Form.useForm<{ name: string }>()
  const { busy, refused, run } = useSaving(form, { [identityErrors.nameTaken.id]: 'name', [identityErrors.roleNameElsewhere.id]: 'name' })
  const changed = useRolesChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(roleApi.copy, { role_id: role.role_id, ...values }, { quiet: true }), '操作成功'))) return
    await changed()
    onCopied(role.role_group_id)
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const name = `${[...role.name].slice(0, name_max - mark.length).join('')}${mark}`
  return (
    <AppModal open width={480} title={`复制角色：${role.name}`} okText="复制" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="role-note">新角色带有{role.permission_count}项权限和数据范围（部门：{scopeText('dept', role.scopes.dept)}），不带成员。</p>
      <Form form={form} name="role-copy" layout="vertical" initialValues={{ name }}>
        <Form.Item name="name" label="新角色名称" required rules={[ruleOf(RoleName)]}><Input maxLength={name_max} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
