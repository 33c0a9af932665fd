import { door_kinds, doorApi, emergency_words, open_reasons } from '@campus/access/contract'
import type { DoorRow } from '@campus/access/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Alert, DatePicker, Form, Input, Radio } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'

type Reason = { reason_code: '1' | '2' | '3' | '4' | '5' | '9'; reason: string }
const reasons = (['1', '2', '3', '4', '5', '9'] as const).map(value => ({ value, label: open_reasons[value] }))
const reason_rules = [{ required: true, whitespace: true, min: 2, message: '请填写原因，2到100个字' }]
const in_an_hour = () => dayjs().add(1, 'hour').startOf('minute')

function ReasonFields({ onPick }: { onPick: (reason: string) => void }): ReactNode {
  const pick = (code: Reason['reason_code']) => onPick(code === '9' ? '' : open_reasons[code])
  return (
    <>
      <Form.Item name="reason_code" label="事由"><Radio.Group options={reasons} optionType="button" onChange={event => pick(event.target.value)} /></Form.Item>
      <Form.Item name="reason" label="原因" rules={reason_rules}><Input maxLength={100} autoComplete="off" /></Form.Item>
    </>
  )
}

/** 远程开门: for who stands at the door now; the reason stands in the log. */
export function OpenDialog({ door, onClose, onDone }: { door: DoorRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Reason>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(doorApi.open, { device_ids: [door.device_id], ...values }, { quiet: true }), '开门指令已发出'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title={`打开${door.place_name} ${door.device_name}`} okText="开门" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {door.is_perimeter && <Alert type="warning" showIcon title="这是校门，请先确认门前人员身份" />}
      <Form form={form} name="door-open" layout="vertical" initialValues={{ reason_code: '1', reason: open_reasons[1] }}>
        <ReasonFields onPick={reason => form.setFieldValue('reason', reason)} />
      </Form>
    </AppModal>
  )
}

/** 保持常开, 锁定 or 恢复; the first two until a time. */
export function HoldDialog({ door, kind, onClose, onDone }: { door: DoorRow; kind: 2 | 3 | 4; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Reason & { until: Dayjs | null }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { until, ...reason } = values
    const hold_until = kind === 4 ? null : (until?.toISOString() ?? null)
    if (!(await run(() => call(doorApi.hold, { device_ids: [door.device_id], kind, hold_until, ...reason }, { quiet: true }), `${door_kinds[kind]}指令已发出`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title={`${door_kinds[kind]}：${door.place_name} ${door.device_name}`} okText={door_kinds[kind]} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="door-hold" layout="vertical" initialValues={{ reason_code: '9', reason: '', until: in_an_hour() }}>
        {kind !== 4 && <Form.Item name="until" label="保持到" extra="到时自动恢复，最长24小时；不填则一直保持到恢复"><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>}
        <ReasonFields onPick={reason => form.setFieldValue('reason', reason)} />
      </Form>
    </AppModal>
  )
}

const touches = {
  4: '每个门恢复按规则通行。',
  5: '所有校门的出口将保持打开，直到恢复；离线的门恢复连接后也会打开。',
  6: '所有校门的入口将关闭，直到恢复；出口不受影响，不会把人留在校内。双向通道不会关闭，请派人值守。',
} as const

/** 疏散全开, 封闭 or 恢复 of the whole school; the first two want a word to be typed. */
export function EmergencyDialog({ kind, onClose, onDone }: { kind: 4 | 5 | 6; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ word?: string; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const word = kind === 4 ? '' : emergency_words[kind]
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(doorApi.emergency, { kind, word: values.word ?? '', reason: values.reason }, { quiet: true }), '指令已发出'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={kind === 4 ? '恢复所有校门' : door_kinds[kind]} okText="确定" okButtonProps={{ danger: kind !== 4 }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={kind === 4 ? 'info' : 'error'} showIcon title={refused ?? touches[kind]} />
      <Form form={form} name="door-emergency" layout="vertical">
        <Form.Item name="reason" label="原因" rules={reason_rules}><Input maxLength={100} autoComplete="off" /></Form.Item>
        {word !== '' && <Form.Item name="word" label={`输入「${word}」确认`} rules={[{ required: true, pattern: new RegExp(`^${word}$`), message: `请输入「${word}」` }]}><Input maxLength={4} autoComplete="off" /></Form.Item>}
      </Form>
    </AppModal>
  )
}
