import { roleApi } from '@campus/identity/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Form, Select } from 'antd'
import type { ReactNode } from 'react'

/** 可填写的角色组, for whoever may read the roles; what stands there stays otherwise. */
export function EditBy(): ReactNode {
  const may_read = useCan(roleApi.list)
  const { data } = useQuery({ queryKey: [roleApi.list.call], queryFn: async ({ signal }) => (await call(roleApi.list, {}, { signal, quiet: true })).list, enabled: may_read })
  if (!may_read) return <Form.Item name="edit_by" hidden><Select mode="multiple" /></Form.Item>
  const groups = new Map((data ?? []).map(role => [role.role_group_id, role.group_name]))
  const options = [...groups].map(([value, label]) => ({ value, label }))
  return (
    <Form.Item name="edit_by" label="可填写的角色组" extra="不选则所有可以编辑档案的人都能填写">
      <Select mode="multiple" allowClear showSearch={{ optionFilterProp: 'label' }} options={options} loading={data === undefined} placeholder="不限" />
    </Form.Item>
  )
}
