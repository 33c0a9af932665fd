import { identityErrors, roleApi, RoleDraft } from '@campus/identity/contract'
import type { RoleRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { useRolesChanged } from '../use-roles.ts'
import type { RoleGroup } from '../use-roles.ts'
import { blocked_text } from './web-switch.tsx'

type Values = { name: string; role_group_id: string | undefined; enabled: boolean; web: boolean; allow_login_web_text: string; dept_is_exact: boolean }
type Props = { role?: RoleRow; group_id?: string; groups: readonly RoleGroup[]; onClose: () => void }

/** Makes a role of the school's own, or changes the facts of one; what it may do is set on its own page. */
export function RoleDialog({ role, group_id, groups, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [identityErrors.nameTaken.id]: 'name', [identityErrors.roleNameElsewhere.id]: 'name' })
  const changed = useRolesChanged()
  const web = Form.useWatch('web', form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => send(role, values), '操作成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const is_system = role?.is_system === true
  return (
    <AppModal open width={520} title={role ? `编辑角色：${role.name}` : '新增角色'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="role-facts" layout="vertical" initialValues={valuesOf(role, group_id)}>
        <Form.Item name="name" label="名称" required extra={role ? `代码：${role.code}` : '保存后自动编排代码，再到权限配置中授予权限'} rules={[ruleOf(RoleDraft.shape.name)]}><Input maxLength={20} showCount /></Form.Item>
        <Form.Item name="role_group_id" label="角色组" extra={is_system ? identityErrors.roleGroupKept.msg : undefined} rules={[{ required: true, message: '请选择角色组' }]}>
          <Select disabled={is_system} placeholder="请选择角色组" options={groups.map(group => ({ value: group.role_group_id, label: group.name }))} />
        </Form.Item>
        <Form.Item name="web" label="网页登录" valuePropName="checked" extra={web ? '成员可以用该角色登录网页端' : '成员不能用该角色登录网页端'}><Switch checkedChildren="允许" unCheckedChildren="不允许" /></Form.Item>
        <Form.Item name="allow_login_web_text" label="不允许时的提示" hidden={web} rules={[ruleOf(RoleDraft.shape.allow_login_web_text)]}><Input maxLength={60} showCount placeholder={blocked_text} /></Form.Item>
        <Form.Item name="dept_is_exact" label="显示完整部门路径" valuePropName="checked" extra="打开后，该角色看到的部门名称总是完整路径，例如 小学部/一年级/1班"><Switch checkedChildren="是" unCheckedChildren="否" /></Form.Item>
        {!role && <Form.Item name="enabled" label="启用" valuePropName="checked"><Switch checkedChildren="启用" unCheckedChildren="停用" /></Form.Item>}
      </Form>
    </AppModal>
  )
}

function valuesOf(role: RoleRow | undefined, group_id: string | undefined): Values {
  if (!role) return { name: '', role_group_id: group_id, enabled: true, web: true, allow_login_web_text: '', dept_is_exact: false }
  const { name, role_group_id, enabled, allow_login_web, allow_login_web_text, dept_is_exact } = role
  return { name, role_group_id, enabled, web: allow_login_web === 0, allow_login_web_text: allow_login_web_text ?? '', dept_is_exact: dept_is_exact !== 0 }
}

function send(role: RoleRow | undefined, { name, role_group_id = '', enabled, web, allow_login_web_text, dept_is_exact }: Values): Promise<unknown> {
  const facts = { name, role_group_id, allow_login_web: web ? (0 as const) : (1 as const), allow_login_web_text: allow_login_web_text.trim() || null, dept_is_exact: dept_is_exact ? (1 as const) : (0 as const) }
  if (role) return call(roleApi.edit, { role_id: role.role_id, row_version: role.row_version, ...facts }, { quiet: true })
  return call(roleApi.add, { ...facts, enabled }, { quiet: true })
}
