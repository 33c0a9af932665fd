import { tagApi } from '@campus/people/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Form, Radio, Select } from 'antd'
import type { ReactNode } from 'react'
import { useTagChoices } from './tag-choices.ts'
import { useTagsChanged } from './use-tags.ts'

type Values = { way: 'bind' | 'unbind'; id: string }
const named = 3

/** Gives the chosen people a tag, or takes it from them. */
export function GiveDialog({ rows, person_kind, onClose }: { rows: readonly { user_id: string; user_name: string }[]; person_kind: number; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const changed = useTagsChanged()
  const client = useQueryClient()
  const tags = useTagChoices().filter(tag => tag.kind === 'manual' && tag.person_kinds.includes(person_kind))
  const names = rows.slice(0, named).map(row => row.user_name).join('、')
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => call(tagApi[values.way], { id: values.id, user_ids: rows.map(row => row.user_id) }, { quiet: true }), '设置成功'))) return
    await Promise.all([changed(), client.invalidateQueries({ queryKey: ['tag-choices'] })])
    onClose()
  }
  return (
    <AppModal open width={480} title="打标签" okText="确定" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>已选 {rows.length} 人：{names}{rows.length > named ? '等' : ''}</p>
      <Form form={form} name="give-tag" layout="vertical" initialValues={{ way: 'bind' }}>
        <Form.Item name="way" label="操作"><Radio.Group options={[{ value: 'bind', label: '添加标签' }, { value: 'unbind', label: '移除标签' }]} /></Form.Item>
        <Form.Item name="id" label="标签" required rules={[{ required: true, message: '请选择标签' }]} extra={tags.length === 0 ? '还没有适用于所选人员的手动标签，请先到“标签管理”新增' : undefined}>
          <Select placeholder="请选择标签" showSearch={{ optionFilterProp: 'label' }} options={tags.map(({ value, label }) => ({ value, label }))} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
