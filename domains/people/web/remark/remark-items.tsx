import { Form, Select } from 'antd'
import type { ReactNode } from 'react'
import { useRemarks } from './use-remarks.ts'

/** The remarks of a department in its form, each with its options; `known` are values that are said already. */
export function RemarkItems({ dept_type, known }: { dept_type: number; known: Readonly<Record<string, string | null>> }): ReactNode {
  const { data = [] } = useRemarks()
  const fields = data.filter(field => field.applies_to.includes(dept_type) && (!field.archived || known[field.id]))
  return fields.map(({ id, label, options, archived }) => (
    <Form.Item key={id} name={['remarks', id]} label={archived ? `${label}（已停用）` : label}>
      <Select allowClear placeholder="未填时随上级部门" options={options.map(value => ({ value, label: value, disabled: archived }))} showSearch={{ optionFilterProp: 'label' }} />
    </Form.Item>
  ))
}
