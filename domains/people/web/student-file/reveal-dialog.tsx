import { registry, reveal_fields, sensitive_level, staff_registry } from '@campus/people/contract'
import type { CustomValue, PersonFile, StaffFile } from '@campus/people/contract'
import { AppModal } from '@kit/web'
import { Alert, Checkbox, Form, Input } from 'antd'
import type { FormInstance } from 'antd'
import { useRef, useState } from 'react'
import type { ReactNode, Ref } from 'react'
import { sentenceOf, validated } from '../refused.ts'
import type { Revealed } from './use-revealed.ts'

/** One protected value; `value` names it within the dialog. */
export type RevealChoice = { value: string; label: string; user_id: string; field: Parameters<Revealed['ask']>[1][number] }

type Wanted = { chosen: string[]; reason: string }

/** Asks which protected values to show, and why; every look is logged with its reason. */
export function RevealDialog({ choices, revealed, open, onClose }: { choices: readonly RevealChoice[]; revealed: Revealed; open: boolean; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Wanted>()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const show = async () => {
    setRefused(null)
    const given = await validated(form)
    if (!given) return focusChoices(form, box.current)
    setBusy(true)
    const by_person = Map.groupBy(choices.filter(choice => given.chosen.includes(choice.value)), choice => choice.user_id)
    try {
      for (const [user_id, chosen] of by_person) await revealed.ask(user_id, chosen.map(choice => choice.field), given.reason.trim())
      onClose()
    } catch (cause) {
      setRefused(sentenceOf(cause))
    } finally {
      setBusy(false)
    }
  }
  return (
    <AppModal open={open} width={480} title="查看完整信息" okText="查看" confirmLoading={busy} onOk={() => void show()} onCancel={onClose}>
      {refused !== null && <Alert className="file-refused" type="error" showIcon title={refused} />}
      <Form form={form} layout="vertical" initialValues={{ chosen: [], reason: '' }}>
        <Form.Item name="chosen" label="查看内容" rules={[{ required: true, message: '请选择要查看的内容' }]}>
          <Choices box={box} options={choices} />
        </Form.Item>
        <Form.Item name="reason" label="查看原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }, { max: 100, message: '超过100个字' }]}>
          <Input.TextArea rows={2} placeholder="如：核对学籍" />
        </Form.Item>
      </Form>
      <p className="file-hint">查看会记入操作日志；完整内容在本页显示5分钟。</p>
    </AppModal>
  )
}

type ChoicesProps = { box: Ref<HTMLDivElement>; value?: string[]; onChange?: (chosen: string[]) => void; options: readonly RevealChoice[] }

// The form would hand aria-required to the group, which a group may not carry.
function Choices({ box, value, onChange, options }: ChoicesProps): ReactNode {
  return <Checkbox.Group ref={box} className="file-choices" value={value} onChange={onChange} options={options.map(choice => ({ value: choice.value, label: choice.label }))} />
}

/** The group is no field that could take the focus: its first box does. */
function focusChoices(form: FormInstance<Wanted>, box: HTMLDivElement | null): void {
  if (form.getFieldError('chosen').length > 0) box?.querySelector('input')?.focus()
}

/** What of a pupil's file, his guardians in it, can be shown. */
export function pupilChoices({ user_id, masked, custom, parents }: PersonFile): RevealChoice[] {
  const own = reveal_fields.flatMap(field => (field !== 'mobile' && masked.includes(field) ? [{ value: field, label: registry[field].label, user_id, field }] : []))
  const others = parents.flatMap(parent => [
    ...(parent.mobile === null ? [] : [{ value: `${parent.user_id}.mobile`, label: `${parent.user_name}手机号`, user_id: parent.user_id, field: 'mobile' as const }]),
    ...(parent.id_no === null ? [] : [{ value: `${parent.user_id}.id_no`, label: `${parent.user_name}证件号`, user_id: parent.user_id, field: 'id_no' as const }]),
  ])
  return [...own, ...customChoices(user_id, custom), ...others]
}

/** What of the file of a member of staff can be shown. */
export function staffChoices({ user_id, registry: values, custom }: StaffFile): RevealChoice[] {
  const own = (['id_no', 'mobile'] as const).flatMap(field => (values[field] === null ? [] : [{ value: field, label: staff_registry[field].label, user_id, field }]))
  return [...own, ...customChoices(user_id, custom)]
}

function customChoices(user_id: string, custom: readonly CustomValue[]): RevealChoice[] {
  return custom.flatMap(({ field_code, label, level, value }) => (level === sensitive_level && value !== null ? [{ value: `ext.${field_code}`, label, user_id, field: `ext.${field_code}` as const }] : []))
}
