import { appRoleGroupApi, AppRoleGroupDraft, identityErrors } from '@campus/identity/contract'
import type { AppKind, AppModuleCode, AppRoleGroupRow } from '@campus/identity/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Arrangement } from './arrange.ts'
import { useKind } from './app-kind.ts'
import { ModulePanes } from './module-panes.tsx'
import { useAppRolesChanged } from './use-app-roles.ts'

type Props = { group: AppRoleGroupRow | null; offered: readonly AppModuleCode[]; onClose: () => void }

/** Names a group, a new one without `group`, and says with which modules its new roles begin. */
export function AppGroupDialog({ group, offered, onClose }: Props): ReactNode {
  const { kind, who } = useKind()
  const [form] = Form.useForm<{ name: string }>()
  const [all, setAll] = useState<Arrangement>((group?.modules ?? []).map(module_code => ({ module_code, visible: true })))
  const [is_moved, setMoved] = useState(false)
  const { busy, refused, run } = useSaving(form, { [identityErrors.groupNameTaken.id]: 'name' })
  const changed = useAppRolesChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const modules = all.map(({ module_code }) => module_code).filter(code => offered.includes(code))
    if (await run(() => send(kind, group, { ...values, modules }), '操作成功')) onClose()
    await changed()
  }
  const leave = async () => {
    if ((!form.isFieldsTouched() && !is_moved) || (await mayDiscard())) onClose()
  }
  const arrange = (next: Arrangement) => {
    setAll(next)
    setMoved(true)
  }
  return (
    <AppModal open width={680} title={group ? `编辑角色组：${group.name}` : `新增${who}角色组`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="app-group" layout="vertical" initialValues={{ name: group?.name ?? '' }}>
        <Form.Item name="name" label="名称" required rules={[ruleOf(AppRoleGroupDraft.shape.name)]}><Input maxLength={20} showCount /></Form.Item>
      </Form>
      <p className="role-note">默认模块：本组新增的角色从这些模块开始，已有角色不变。</p>
      <div className="app-role-group-panes"><ModulePanes offered={offered} all={all} arrange={arrange} locked={false} can_hide={false} /></div>
    </AppModal>
  )
}

function send(client_kind: AppKind, group: AppRoleGroupRow | null, facts: { name: string; modules: AppModuleCode[] }): Promise<unknown> {
  if (!group) return call(appRoleGroupApi.create, { client_kind, ...facts }, { quiet: true })
  return call(appRoleGroupApi.update, { id: group.role_group_id, row_version: group.row_version, ...facts }, { quiet: true })
}
