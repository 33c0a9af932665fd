import { roleApi } from '@campus/identity/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import type { ReactNode } from 'react'

/** The code rather than the endpoint: whoever may give roles. */
const give_code = 'identity.member.edit'
/** 角色 over the whole school, for whoever may give them. */
export function RoleField(): ReactNode {
  const may_give = useCan(give_code)
  const may_read = useCan(roleApi.list)
  const { data } = useQuery({ queryKey: [roleApi.list.call], queryFn: async ({ signal }) => (await call(roleApi.list, {}, { signal, quiet: true })).list, enabled: may_give && may_read })
  if (!may_give || !may_read) return null
  const options = (data ?? []).map(role => ({ value: role.role_id, label: role.name }))
  return (
    <Form.Item name="role_ids" label="角色" extra="在全校范围授予；限定部门的角色请在角色管理中设置">
      <Select mode="multiple" allowClear showSearch={{ optionFilterProp: 'label' }} options={options} loading={data === undefined} placeholder="不授予角色" />
    </Form.Item>
  )
}
