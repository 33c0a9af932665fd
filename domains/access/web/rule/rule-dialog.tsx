import { flagged_matches, match_names, ruleApi } from '@campus/access/contract'
import type { RulePeriod, RuleRow } from '@campus/access/contract'
import { DeleteOutlined } from '@ant-design/icons'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button, DatePicker, Form, Input, Select, TimePicker } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { weekday_names, workdays } from './clock.ts'
import { PlanPanel } from './plan-panel.tsx'
import { PlanButtons, usePlan } from './use-plan.tsx'
import { WeekPicture } from './week-picture.tsx'

type Keyed = RulePeriod & { key: number }
type Values = { rule_name: string; remark: string | null; effective_from: Dayjs | null }
type Frame = { onClose: () => void; onDone: (rule_id: string) => void }
const day_minutes = 1440
const matches = Object.entries(match_names).map(([code, label]) => ({ value: Number(code), label }))
const ways = [{ value: 1 as const, label: '进' }, { value: 2 as const, label: '出' }]
const ends = [{ value: 0, label: '当天' }, { value: 1, label: '次日' }]
const first_period: RulePeriod = { direction: 1, day_match: 1, week_flags: [...workdays], begin_min: 420, end_min: 480 }

/** 新增 and 编辑时段: the list of periods beside the week it makes; published after its plan was seen. */
export function RuleDialog({ scene, rule, onClose, onDone }: Frame & { scene: number; rule: RuleRow | null }): ReactNode {
  const [form] = Form.useForm<Values>()
  const client = useQueryClient()
  const [periods, setPeriods] = useState<readonly Keyed[]>(() => (rule?.periods ?? [first_period]).map((period, key) => ({ ...period, key })))
  const [is_touched, touch] = useState(false)
  const send = async (how: { preview: boolean; plan_hash: string | null }) => {
    const { rule_name, remark = null, effective_from } = await form.validateFields()
    const content = { rule_name, remark, periods: periods.map(({ key: _key, ...period }) => period), ...how }
    const answer = rule
      ? await call(ruleApi.update, { ...content, rule_id: rule.rule_id, row_version: rule.row_version, dates: rule.dates, effective_from: effective_from?.format('YYYY-MM-DD') ?? null }, { quiet: true })
      : await call(ruleApi.add, { ...content, scene }, { quiet: true })
    if (answer.rule) onDone(answer.rule.rule_id)
    return answer
  }
  const done = () => {
    void client.invalidateQueries()
    onClose()
  }
  const plan = usePlan(form, send, done)
  const change = (next: readonly Keyed[]) => {
    setPeriods(next)
    touch(true)
    plan.forget()
  }
  const edit = (key: number, patch: Partial<RulePeriod>) => change(periods.map(one => (one.key === key ? { ...one, ...patch } : one)))
  const remove = (key: number) => change(periods.filter(one => one.key !== key))
  const add = () => change([...periods, { ...(periods.at(-1) ?? first_period), key: Math.max(0, ...periods.map(one => one.key)) + 1 }])
  const leave = leaving(is_touched || form.isFieldsTouched(), onClose)
  return (
    <AppModal open width={960} title={rule ? `编辑时段：${rule.rule_name}` : '新增规则'} onCancel={leave} footer={<PlanButtons of={plan} onCancel={leave} />}>
      {plan.refused !== null && <Alert type="warning" showIcon title={plan.refused} />}
      <Form form={form} name="access-rule" layout="inline" initialValues={{ rule_name: rule?.rule_name, remark: rule?.remark, effective_from: null }} onValuesChange={plan.forget}>
        <Form.Item name="rule_name" label="规则名称" rules={[{ required: true, message: '请填写规则名称' }]}><Input maxLength={30} autoComplete="off" /></Form.Item>
        <Form.Item name="remark" label="备注"><Input maxLength={200} autoComplete="off" /></Form.Item>
        {rule && <Form.Item name="effective_from" label="生效日期" tooltip="不选为立即生效"><DatePicker placeholder="立即生效" minDate={dayjs()} /></Form.Item>}
      </Form>
      <h3>时段</h3>
      {periods.map(period => <PeriodRow key={period.key} period={period} edit={edit} remove={remove} />)}
      <Button onClick={add}>增加时段</Button>
      <h3>一周</h3>
      <WeekPicture periods={periods} />
      {plan.plan && <PlanPanel plan={plan.plan} />}
    </AppModal>
  )
}

type RowProps = { period: Keyed; edit: (key: number, patch: Partial<RulePeriod>) => void; remove: (key: number) => void }

function PeriodRow({ period, edit, remove }: RowProps): ReactNode {
  const { key, direction, day_match, week_flags, begin_min, end_min } = period
  const is_next = end_min > day_minutes
  const setMatch = (match: number) => edit(key, { day_match: match, week_flags: flagged_matches.includes(match) ? (week_flags ?? [...workdays]) : null })
  const setEnd = (minute: number, next: boolean) => edit(key, { end_min: (minute === 0 && !next ? day_minutes : minute) + (next ? day_minutes : 0) })
  return (
    <div className="access-period">
      <Select aria-label="方向" options={ways} value={direction} onChange={way => edit(key, { direction: way })} />
      <Select aria-label="适用日子" options={matches} value={day_match} onChange={setMatch} />
      <Clock label="开始" minute={begin_min} set={minute => edit(key, { begin_min: minute })} />
      <span>至</span>
      <Select aria-label="结束在" options={ends} value={is_next ? 1 : 0} onChange={next => setEnd(end_min % day_minutes, next === 1)} />
      <Clock label="结束" minute={end_min % day_minutes} set={minute => setEnd(minute, is_next)} />
      {week_flags ? <Flags flags={week_flags} set={flags => edit(key, { week_flags: flags })} /> : <span />}
      <Button type="text" danger aria-label="删除时段" icon={<DeleteOutlined aria-hidden />} onClick={() => remove(key)} />
    </div>
  )
}

function Clock({ label, minute, set }: { label: string; minute: number; set: (minute: number) => void }): ReactNode {
  const value = dayjs().startOf('day').add(minute, 'minute')
  const choose = (time: Dayjs | null) => time && set(time.hour() * 60 + time.minute())
  return <TimePicker aria-label={label} format="HH:mm" minuteStep={5} allowClear={false} needConfirm={false} value={value} onChange={choose} />
}

function Flags({ flags, set }: { flags: readonly boolean[]; set: (flags: boolean[]) => void }): ReactNode {
  return (
    <div className="access-flags" role="group" aria-label="星期">
      {weekday_names.map((name, at) => <button key={name} type="button" aria-pressed={flags[at]} aria-label={`周${name}`} onClick={() => set(flags.map((flag, n) => (n === at ? !flag : flag)))}>{name}</button>)}
    </div>
  )
}

/** The same week under another name. */
export function CopyDialog({ rule, onClose, onDone }: Frame & { rule: RuleRow }): ReactNode {
  const [form] = Form.useForm<{ rule_name: string }>()
  const client = useQueryClient()
  const { busy, refused, run } = useSaving(form, { 'access.ruleName': 'rule_name' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const ok = await run(async () => onDone((await call(ruleApi.copy, { rule_id: rule.rule_id, ...values }, { quiet: true })).rule.rule_id), '操作成功')
    if (!ok) return
    await client.invalidateQueries({ queryKey: [ruleApi.list.call] })
    onClose()
  }
  return (
    <AppModal open title={`复制规则：${rule.rule_name}`} okText="复制" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="access-copy" layout="vertical" initialValues={{ rule_name: `${rule.rule_name}副本` }}>
        <Form.Item name="rule_name" label="新规则名称" rules={[{ required: true, message: '请填写规则名称' }]}><Input maxLength={30} autoComplete="off" /></Form.Item>
      </Form>
    </AppModal>
  )
}
