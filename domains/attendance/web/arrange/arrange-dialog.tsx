import { DeleteOutlined } from '@ant-design/icons'
import { arrangeApi, ruleApi, scope_kinds } from '@campus/attendance/contract'
import type { ArrangeRow, RuleRow } from '@campus/attendance/contract'
import { HOLIDAY_KIND } from '@campus/calendar/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Alert, Button, DatePicker, Form, Input, InputNumber, Select, Switch, TimePicker } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ScopeSelect } from './scope-select.tsx'
import type { Term } from './use-terms.ts'

type Values = { arrange_name: string; rule_id: string; scope_kind: number; scope_id: string; section_from: number | null; section_to: number | null; days: [Dayjs, Dayjs]; enabled: boolean; reason: string }
type Slot = { key: number; slot_id: string | null; slot_name: string; begin: string; end: string; day_kinds: number[]; need_out: boolean }
type Props = { kind: 'course' | 'clock'; term: Term; arrange: ArrangeRow | null; onClose: () => void; onDone: () => void }

const most_rules = 300
const clock_scopes: readonly string[] = ['1', '2', '3', '4', '8']
const kinds = Object.entries(HOLIDAY_KIND.names).map(([value, label]) => ({ value: Number(value), label }))
const first_slot = { slot_id: null, slot_name: '早到校', begin: '07:20', end: '08:00', day_kinds: [8, 3, 9], need_out: false }
const homes = { 'attend.arrangeOverlap': 'days', 'attend.arrangeDays': 'days', 'attend.arrangeScope': 'scope_id', 'attend.ruleDisabled': 'rule_id', 'attend.ruleKind': 'rule_id', 'attend.backdate': 'reason' } as const

/** 新增 and 编辑 of an arrange: which rule, whom it reaches, from when to when; of clocking also its slots. */
export function ArrangeDialog({ kind, term, arrange, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const rules = useCall(ruleApi.list, { kind, page_size: most_rules }).data?.list ?? []
  const [slots, setSlots] = useState<readonly Slot[]>(() => (kind === 'clock' ? (arrange?.slots ?? [first_slot]) : []).map((slot, key) => ({ ...slot, key })))
  const scope_kind = Form.useWatch('scope_kind', form) ?? arrange?.scope_kind ?? 1
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { days: [from, to], scope_kind: scope, scope_id = '0', ...rest } = values
    const draft = { ...rest, section_from: rest.section_from ?? null, section_to: rest.section_to ?? null, valid_from: from.format('YYYY-MM-DD'), valid_to: to.format('YYYY-MM-DD'), slots: slots.map(({ key: _key, ...slot }) => slot) }
    const send = () => arrange
      ? call(arrangeApi.update, { id: arrange.arrange_id, row_version: arrange.row_version, ...draft }, { quiet: true })
      : call(arrangeApi.add, { ...draft, semester_id: term.semester_id, scope_kind: scope, scope_id: scope === 1 ? '0' : scope_id }, { quiet: true })
    if (!(await run(send, '设置成功'))) return
    onDone()
    onClose()
  }
  const begin = dayjs().format('YYYY-MM-DD') > term.begin_date ? dayjs() : dayjs(term.begin_date)
  const initial = {
    arrange_name: arrange?.arrange_name, rule_id: arrange?.rule_id, scope_kind: arrange?.scope_kind ?? 1, scope_id: arrange?.scope_id, section_from: arrange?.section_from, section_to: arrange?.section_to,
    days: arrange ? [dayjs(arrange.valid_from), dayjs(arrange.valid_to)] : [begin, dayjs(term.end_date)], enabled: arrange?.enabled ?? true, reason: '',
  }
  return (
    <AppModal open width={kind === 'clock' ? 880 : 640} title={arrange ? `编辑安排：${arrange.arrange_name}` : '新增安排'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="attend-arrange" layout="vertical" className="attend-form" initialValues={initial} onValuesChange={(changed: Partial<Values>) => changed.scope_kind !== undefined && form.setFieldValue('scope_id', undefined)}>
        <ScopeFields kind={kind} term={term} arrange={arrange} scope_kind={scope_kind} rules={rules} />
        <Form.Item name="days" label="日期" rules={required('请选择日期')}><DatePicker.RangePicker className="kit-fill" allowClear={false} minDate={dayjs(term.begin_date)} maxDate={dayjs(term.end_date)} /></Form.Item>
        <Form.Item name="enabled" label="启用" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="reason" label="变更原因" extra="影响今天以前的考勤时必填"><Input maxLength={200} autoComplete="off" /></Form.Item>
      </Form>
      {kind === 'clock' && <Slots slots={slots} change={setSlots} />}
    </AppModal>
  )
}

const required = (message: string) => [{ required: true, message }]
type ScopeProps = Pick<Props, 'kind' | 'term' | 'arrange'> & { scope_kind: number; rules: readonly RuleRow[] }

/** Name, rule and whom it reaches; the scope of one that is there stays. */
function ScopeFields({ kind, term, arrange, scope_kind, rules }: ScopeProps): ReactNode {
  const scopes = Object.entries(scope_kinds).filter(([value]) => kind === 'course' || clock_scopes.includes(value)).map(([value, label]) => ({ value: Number(value), label }))
  const usable = rules.filter(rule => rule.enabled || rule.rule_id === arrange?.rule_id)
  const options = usable.map(rule => ({ value: rule.rule_id, label: `${rule.rule_name}（${rule.person_kind === 1 ? '学生' : '教职工'}）` }))
  return (
    <>
      <Form.Item name="arrange_name" label="安排名称" rules={required('请填写安排名称')}><Input maxLength={40} autoComplete="off" /></Form.Item>
      <Form.Item name="rule_id" label="规则" rules={required('请选择规则')}><Select options={options} placeholder="选择规则" /></Form.Item>
      <Form.Item name="scope_kind" label="范围"><Select disabled={arrange !== null} options={scopes} /></Form.Item>
      {arrange
        ? <Form.Item label="对象">{arrange.scope_name}</Form.Item>
        : scope_kind > 1 && <Form.Item name="scope_id" label="对象" rules={required('请选择范围')}><ScopeSelect kind={scope_kind} semester_id={term.semester_id} /></Form.Item>}
      {kind === 'course' && (
        <Form.Item label="节次" extra="不填为全部节次">
          <span className="attend-between">
            <Form.Item name="section_from" noStyle><InputNumber aria-label="从第几节" min={1} max={16} precision={0} /></Form.Item> 至 <Form.Item name="section_to" noStyle><InputNumber aria-label="到第几节" min={1} max={16} precision={0} /></Form.Item> 节
          </span>
        </Form.Item>
      )}
    </>
  )
}

function Slots({ slots, change }: { slots: readonly Slot[]; change: (slots: readonly Slot[]) => void }): ReactNode {
  const edit = (key: number, patch: Partial<Slot>) => change(slots.map(slot => (slot.key === key ? { ...slot, ...patch } : slot)))
  const add = () => change([...slots, { ...first_slot, slot_name: '', key: Math.max(0, ...slots.map(slot => slot.key)) + 1 }])
  const timeOf = (text: string) => dayjs(text, 'HH:mm')
  return (
    <section aria-label="时段">
      {slots.map(slot => (
        <div key={slot.key} className="attend-slot">
          <Input aria-label="时段名称" maxLength={12} value={slot.slot_name} placeholder="时段名称" onChange={event => edit(slot.key, { slot_name: event.target.value })} />
          <TimePicker.RangePicker aria-label={`${slot.slot_name}时间`} format="HH:mm" order={false} allowClear={false} value={[timeOf(slot.begin), timeOf(slot.end)]} onChange={times => edit(slot.key, { begin: times?.[0]?.format('HH:mm') ?? slot.begin, end: times?.[1]?.format('HH:mm') ?? slot.end })} />
          <Select aria-label={`${slot.slot_name}日期类型`} mode="multiple" showSearch={{ optionFilterProp: 'label' }} maxTagCount={3} value={slot.day_kinds} options={kinds} onChange={day_kinds => edit(slot.key, { day_kinds })} />
          <Switch aria-label={`${slot.slot_name}需要签退`} checkedChildren="签退" unCheckedChildren="不签退" checked={slot.need_out} onChange={need_out => edit(slot.key, { need_out })} />
          <Button type="text" danger icon={<DeleteOutlined aria-hidden />} aria-label={`删除时段 ${slot.slot_name}`} onClick={() => change(slots.filter(one => one.key !== slot.key))} />
        </div>
      ))}
      <Button onClick={add}>增加时段</Button>
    </section>
  )
}
