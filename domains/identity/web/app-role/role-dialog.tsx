import { appRoleApi, AppRoleDraft, identityErrors } from '@campus/identity/contract'
import type { AppRoleRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { useKind } from './app-kind.ts'
import { useAppGroups, useAppRolesChanged } from './use-app-roles.ts'

type Values = { name: string; role_group_id: string | undefined }
type Props = { role?: AppRoleRow; onClose: () => void; onSaved: (role_id: string) => void }

/** Makes a role of the school's own, or changes name and group of one. */
export function AppRoleDialog({ role, onClose, onSaved }: Props): ReactNode {
  const { kind, who } = useKind()
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [identityErrors.nameTaken.id]: 'name' })
  const changed = useAppRolesChanged()
  const groups = useAppGroups(kind)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    await run(async () => {
      const saved = await send(role, values)
      await changed()
      onSaved(saved.role_id)
      onClose()
    }, '操作成功')
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const options = (groups.data?.list ?? []).map(group => ({ value: group.role_group_id, label: `${group.name}（默认${group.modules.length}个模块）` }))
  const hint = role?.is_system ? identityErrors.roleGroupKept.msg : role ? '更换角色组不改变已有的模块' : '新角色先带上该组的默认模块，保存后可再调整'
  return (
    <AppModal open width={480} title={role ? `编辑角色：${role.name}` : `新增${who}角色`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="app-role" layout="vertical" initialValues={{ name: role?.name ?? '', role_group_id: role?.role_group_id }}>
        <Form.Item name="name" label="名称" required rules={[ruleOf(AppRoleDraft.shape.name)]}><Input maxLength={20} showCount /></Form.Item>
        <Form.Item name="role_group_id" label="角色组" extra={hint} rules={[{ required: true, message: '请选择角色组' }]}>
          <Select disabled={role?.is_system} loading={groups.isFetching} placeholder="请选择角色组" options={options} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

function send(role: AppRoleRow | undefined, { name, role_group_id = '' }: Values): Promise<{ role_id: string }> {
  if (!role) return call(appRoleApi.create, { name, role_group_id }, { quiet: true })
  return call(appRoleApi.update, { id: role.role_id, row_version: role.row_version, name, role_group_id }, { quiet: true })
}
