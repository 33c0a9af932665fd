import { formApi, LEAVE_STAFF, LEAVE_STUDENT, spanText } from '@campus/leave/contract'
import type { FormDesign, LeaveForm, Simulated } from '@campus/leave/contract'
import { call, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PersonPicker } from '@campus/people/web'
import { EffectsPreview, StepsList } from '../steps-list.tsx'
import { spanAsked, TimeFields } from '../time-fields.tsx'
import type { TimeValues } from '../time-fields.tsx'

type Values = TimeValues & { user_id: string; leave_type: string }
const pupil = 1

/** 试算: a real person through the flow as it stands on the screen, saved or not; nothing is written. */
export function Trial({ form: of, design }: { form: LeaveForm; design: FormDesign }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'leave.spanOrder': 'mode', 'leave.noHalf': 'mode' })
  const [result, setResult] = useState<Simulated | null>(null)
  const names: Readonly<Record<string, string>> = of.person_kind === pupil ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  const simulate = async () => {
    const values = await validValues(form)
    const span = values && spanAsked(values)
    if (!values || !span) return
    await run(async () => setResult(await call(formApi.simulate, { form_id: of.form_id, user_id: values.user_id, leave_type: values.leave_type, ...span, design }, { quiet: true })))
  }
  return (
    <aside className="design-trial" aria-label="试算">
      <h2>试算</h2>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-trial" layout="vertical" initialValues={{ mode: 'day', leave_type: design.leave_types[0] }}>
        <Form.Item name="user_id" label="人员" rules={[{ required: true, message: '请选择人员' }]}><PersonPicker of={[of.person_kind === pupil ? 'student' : 'teacher']} label="试算人员" /></Form.Item>
        <Form.Item name="leave_type" label="假别" rules={[{ required: true, message: '请选择假别' }]}><Select options={design.leave_types.map(value => ({ value, label: names[value] ?? value }))} /></Form.Item>
        <TimeFields />
        <Button block loading={busy} onClick={() => void simulate()}>试算</Button>
      </Form>
      {result && (
        <div className="design-result" aria-live="polite">
          <p><b>{result.user_name}</b> {spanText(result)}，{result.school_days}天 {result.lessons}节</p>
          {result.has_gap && <p className="leave-fault">有步骤没有审批人，发布前请补充</p>}
          <StepsList steps={result.steps} no_approval={result.no_approval} />
          <EffectsPreview effects={result.effects} />
        </div>
      )}
    </aside>
  )
}
