import { ATTEND_WAY, chain_modes, person_kind_names, place_matches, rollcall_modes, rule_kinds, ruleApi, RuleBody } from '@campus/attendance/contract'
import type { RuleRow, Trial } from '@campus/attendance/contract'
import { AppModal, call, leaving, schoolToday, useSaving, validValues } from '@kit/web'
import { Alert, Button, Checkbox, Collapse, DatePicker, Form, Input, InputNumber, Select, Switch } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LessonBar } from './lesson-bar.tsx'
import { TrialPanel } from './trial-panel.tsx'

type Values = { rule_name: string; note: string; person_kind: number; kind: 'course' | 'clock'; effective_from: Dayjs; reason: string }
type Props = { rule: RuleRow | null; onClose: () => void; onDone: () => void }
type Patch = (part: Partial<RuleBody>) => void

const lesson_minutes = 40
const options = (names: Readonly<Record<string, string>>) => Object.entries(names).map(([value, label]) => ({ value: Number(value), label }))
const fields = {
  'attend.ruleName': 'rule_name', 'attend.backdate': 'reason', 'attend.backdateRight': 'effective_from',
} as const

/** 新增 and 编辑 of a rule: the lesson as a bar with handles, and what the change would make of the week before (chapter 55 §5). */
export function RuleDialog({ rule, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const [body, setBody] = useState<RuleBody>(() => rule?.body ?? RuleBody.parse({}))
  const [is_touched, touch] = useState(false)
  const { busy, refused, run } = useSaving(form, fields)
  const patch: Patch = part => {
    setBody({ ...body, ...part })
    touch(true)
  }
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { person_kind, kind, effective_from, ...words } = values
    const draft = { ...words, body, effective_from: effective_from.format('YYYY-MM-DD') }
    const send = () => (rule ? call(ruleApi.update, { id: rule.rule_id, row_version: rule.row_version, ...draft }, { quiet: true }) : call(ruleApi.add, { ...draft, person_kind, kind }, { quiet: true }))
    if (!(await run(send, '设置成功'))) return
    onDone()
    onClose()
  }
  const today = dayjs(schoolToday())
  const initial = { rule_name: rule?.rule_name, note: rule?.note ?? '', person_kind: rule?.person_kind ?? 1, kind: rule?.kind ?? 'course', effective_from: today, reason: '' }
  return (
    <AppModal open width={920} title={rule ? `编辑规则：${rule.rule_name}` : '新增规则'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(is_touched || form.isFieldsTouched(), onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="attend-rule" layout="vertical" className="attend-form" initialValues={initial}>
        <Form.Item name="rule_name" label="规则名称" rules={[{ required: true, whitespace: true, message: '请填写规则名称' }]}><Input maxLength={30} autoComplete="off" /></Form.Item>
        <Form.Item name="person_kind" label="对象"><Select disabled={rule !== null} options={options(person_kind_names)} /></Form.Item>
        <Form.Item name="kind" label="类型"><Select disabled={rule !== null} options={Object.entries(rule_kinds).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="effective_from" label="生效日期" rules={[{ required: true, message: '请选择生效日期' }]}><DatePicker className="kit-fill" allowClear={false} /></Form.Item>
        <Form.Item name="note" label="备注"><Input maxLength={200} autoComplete="off" /></Form.Item>
        <Form.Item name="reason" label="变更原因" extra="生效日期早于今天时必填"><Input maxLength={200} autoComplete="off" /></Form.Item>
      </Form>
      <LessonBar body={body} minutes={lesson_minutes} onChange={patch} />
      <Numbers body={body} patch={patch} />
      <Collapse size="small" items={[{ key: 'more', label: '签退、请假和提醒', children: <More body={body} patch={patch} /> }]} />
      {rule && <Impact rule={rule} body={body} />}
    </AppModal>
  )
}

type Part = { body: RuleBody; patch: Patch }

function Minutes({ label, value, max, min = 0, suffix = '分钟', onChange }: { label: string; value: number; max: number; min?: number; suffix?: string; onChange: (value: number) => void }): ReactNode {
  return <div className="attend-number"><span aria-hidden>{label}</span><InputNumber aria-label={label} min={min} max={max} precision={0} value={value} suffix={suffix} onChange={next => onChange(next ?? min)} /></div>
}

function Numbers({ body, patch }: Part): ReactNode {
  return (
    <div className="attend-numbers">
      <Minutes label="课前开始打卡" value={body.before_min} max={120} onChange={before_min => patch({ before_min })} />
      <Minutes label="迟到宽限" value={body.late_grace_min} max={30} onChange={late_grace_min => patch({ late_grace_min })} />
      <Minutes label="迟到截止" value={body.late_until_min} max={45} onChange={late_until_min => patch({ late_until_min })} />
      <div className="attend-number"><span aria-hidden>连堂</span><Select aria-label="连堂" value={body.chain_mode} options={options(chain_modes)} onChange={chain_mode => patch({ chain_mode })} /></div>
      <div className="attend-number"><span aria-hidden>打卡地点</span><Select aria-label="打卡地点" value={body.place_match} options={options(place_matches)} onChange={place_match => patch({ place_match })} /></div>
      <div className="attend-number"><span aria-hidden>教师点名</span><Select aria-label="教师点名" value={body.rollcall} options={Object.entries(rollcall_modes).map(([value, label]) => ({ value, label }))} onChange={(rollcall: RuleBody['rollcall']) => patch({ rollcall })} /></div>
    </div>
  )
}

function More({ body, patch }: Part): ReactNode {
  const { notify } = body
  return (
    <>
      <Checkbox.Group value={body.identify_types} options={options(ATTEND_WAY.names)} onChange={identify_types => patch({ identify_types })} />
      <div className="attend-numbers">
        <div className="attend-number"><span aria-hidden>需要签退</span><Switch aria-label="需要签退" checked={body.need_out} onChange={need_out => patch({ need_out })} /></div>
        <Minutes label="下课前可签退" value={body.out_before_min} max={60} onChange={out_before_min => patch({ out_before_min })} />
        <Minutes label="下课后可签退" value={body.out_after_min} max={60} onChange={out_after_min => patch({ out_after_min })} />
        <Minutes label="早退宽限" value={body.early_grace_min} max={30} onChange={early_grace_min => patch({ early_grace_min })} />
        <Minutes label="连堂最长间隔" min={5} value={body.chain_gap_min} max={60} onChange={chain_gap_min => patch({ chain_gap_min })} />
        <Minutes label="重复打卡合并" value={body.repeat_sec} max={600} suffix="秒" onChange={repeat_sec => patch({ repeat_sec })} />
        <Minutes label="请假覆盖算请假" min={1} value={body.leave_cover_pct} max={100} suffix="%" onChange={leave_cover_pct => patch({ leave_cover_pct })} />
        <Minutes label="在校缺课提醒" min={5} value={body.alert_missing_min} max={30} onChange={alert_missing_min => patch({ alert_missing_min })} />
        <div className="attend-number"><span aria-hidden>缺勤通知家长</span><Switch aria-label="缺勤通知家长" checked={notify.absent} onChange={absent => patch({ notify: { ...notify, absent } })} /></div>
        <div className="attend-number"><span aria-hidden>迟到通知家长</span><Switch aria-label="迟到通知家长" checked={notify.late} onChange={late => patch({ notify: { ...notify, late } })} /></div>
      </div>
    </>
  )
}

/** 影响预览: the last school week judged with this body; nothing is written. */
function Impact({ rule, body }: { rule: RuleRow; body: RuleBody }): ReactNode {
  const [trial, setTrial] = useState<Trial | null>(null)
  const { busy, refused, run } = useSaving()
  const week = { date_from: dayjs(schoolToday()).subtract(6, 'day').format('YYYY-MM-DD'), date_to: schoolToday() }
  const look = () => void run(async () => setTrial(await call(ruleApi.dryRun, { rule_id: rule.rule_id, body, ...week }, { quiet: true })))
  return (
    <section className="attend-impact">
      <Button loading={busy} onClick={look}>影响预览（最近7天）</Button>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {trial && <TrialPanel trial={trial} />}
    </section>
  )
}
