import { AppModal, validValues } from '@kit/web'
import { Form, Select } from 'antd'
import type { ReactNode } from 'react'
import { kind_words } from './merge-words.ts'
import { PersonSelect } from './person-select.tsx'
import type { PairOf } from './use-merge.ts'

type Kind = keyof typeof kind_words
type Values = { keep_kind: Kind; drop_kind: Kind; keep?: string; drop?: string }
type Props = { someone?: string | undefined; open: (pair: PairOf) => void; onClose: () => void }

const kinds = Object.entries(kind_words).map(([value, label]) => ({ value, label }))

/** 指定两人: whom nobody has proposed. `someone` stays, whom another page has named. */
export function PairDialog({ someone, open, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const start: Values = someone === undefined ? { keep_kind: 'student', drop_kind: 'student' } : { keep_kind: 'parent', drop_kind: 'parent', keep: someone }
  const save = async () => {
    const values = await validValues(form)
    if (values?.keep !== undefined && values.drop !== undefined) open({ keep: values.keep, drop: values.drop })
  }
  return (
    <AppModal open title="指定两人" okText="开始核对" onOk={() => void save()} onCancel={onClose}>
      <Form form={form} layout="vertical" initialValues={start}>
        <PersonItem name="keep" label="保留的档案" kind="keep_kind" known={someone} />
        <PersonItem name="drop" label="并入的档案" kind="drop_kind" />
      </Form>
    </AppModal>
  )
}

function PersonItem({ name, label, kind, known }: { name: 'keep' | 'drop'; label: string; kind: 'keep_kind' | 'drop_kind'; known?: string | undefined }): ReactNode {
  const form = Form.useFormInstance<Values>()
  const chosen: Kind = Form.useWatch(kind, form) ?? 'student'
  return (
    <div className="merge-choice">
      <Form.Item name={kind} label="类型">
        <Select<Kind> options={kinds.flatMap(({ value, label: text }) => (isKind(value) ? [{ value, label: text }] : []))} onChange={() => form.setFieldValue(name, undefined)} />
      </Form.Item>
      <Form.Item name={name} label={label} rules={[{ required: true, message: `请选择${label}` }]}>
        <PersonSelect key={chosen} kind={chosen} label={label} known={known} />
      </Form.Item>
    </div>
  )
}

function isKind(text: string): text is Kind {
  return text in kind_words
}
