import { educationApi, folderApi, most_labels, resourceApi } from '@campus/publishing/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Select, Space } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { Kind } from './kinds.ts'

type Frame = { onClose: () => void; onDone: () => void }

export function RenameDialog({ id, name, onClose, onDone }: Frame & { id: string; name: string }): ReactNode {
  const [form] = Form.useForm<{ resource_name: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(educationApi.rename, { id, ...values }, { quiet: true }), '修改成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={440}
      title="重命名"
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="rename" layout="vertical" initialValues={{ resource_name: name }}>
        <Form.Item name="resource_name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}>
          <Input maxLength={80} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

const loose = ''

export function MoveDialog({ kind, resource_ids, onClose, onDone }: Frame & { kind: Kind; resource_ids: readonly string[] }): ReactNode {
  const [form] = Form.useForm<{ folder_id: string }>()
  const { busy, refused, run } = useSaving(form)
  const folders = useCall(folderApi.list, { resource_type: kind.type })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const folder_id = values.folder_id === loose ? null : values.folder_id
    if (!(await run(() => call(resourceApi.move, { resource_ids: [...resource_ids], folder_id }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  const options = [
    { value: loose, label: `不归入${kind.album}` },
    ...(folders.data?.list ?? []).map(folder => ({ value: folder.id, label: folder.name })),
  ]
  return (
    <AppModal
      open
      width={440}
      title={`移动 ${resource_ids.length} 个${kind.item}`}
      okText="移动"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="move" layout="vertical">
        <Form.Item
          name="folder_id"
          label={kind.album}
          rules={[
            {
              validator: (_, value: unknown) =>
                value === undefined ? Promise.reject(new Error(`请选择${kind.album}`)) : Promise.resolve(),
            },
          ]}
        >
          <Select
            loading={folders.isFetching}
            options={options}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder={`选择${kind.album}`}
          />
        </Form.Item>
      </Form>
    </AppModal>
  )
}

/** Labels of the chosen, and a new one where none fits. */
export function LabelDialog({
  resource_ids,
  known,
  onClose,
  onDone,
}: Frame & { resource_ids: readonly string[]; known: readonly string[] }): ReactNode {
  const [form] = Form.useForm<{ label_ids: string[] }>()
  const { busy, refused, run } = useSaving(form)
  const labels = useCall(resourceApi.labels, {})
  const options = (labels.data?.list ?? []).map(label => ({ value: label.id, label: label.name }))
  const add = (name: string) =>
    run(async () => {
      const { id } = await call(resourceApi.saveLabel, { name }, { quiet: true })
      await labels.refetch()
      form.setFieldValue('label_ids', [...(form.getFieldValue('label_ids') ?? []), id])
    })
  const save = async () => {
    const { label_ids } = form.getFieldsValue()
    const set = () => call(resourceApi.setLabels, { resource_ids: [...resource_ids], label_ids }, { quiet: true })
    if (!(await run(set, '修改成功'))) return
    onDone()
    onClose()
  }
  const frame = { okText: '保存', confirmLoading: busy, onOk: () => void save(), onCancel: leaving(form, onClose) }
  return (
    <AppModal open width={460} title={`标签 · ${resource_ids.length} 个`} {...frame}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="labels" layout="vertical" initialValues={{ label_ids: [...known] }}>
        <Form.Item name="label_ids" label="标签" extra="保存后所选资源只有这些标签">
          <Select
            mode="multiple"
            maxCount={most_labels}
            options={options}
            showSearch={{ optionFilterProp: 'label' }}
            placeholder="选择标签"
          />
        </Form.Item>
      </Form>
      <NewLabel busy={busy} onAdd={add} />
    </AppModal>
  )
}

function NewLabel({ busy, onAdd }: { busy: boolean; onAdd: (name: string) => Promise<boolean> }): ReactNode {
  const [name, setName] = useState('')
  const add = async () => {
    if (await onAdd(name)) setName('')
  }
  return (
    <Space.Compact className="kit-fill">
      <Input value={name} maxLength={20} placeholder="新标签" aria-label="新标签" onChange={event => setName(event.target.value)} />
      <Button disabled={name.trim() === '' || busy} onClick={() => void add()}>
        添加
      </Button>
    </Space.Compact>
  )
}
