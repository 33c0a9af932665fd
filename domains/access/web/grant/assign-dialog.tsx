import { deptRuleApi, mode_names, userRuleApi } from '@campus/access/contract'
import type { DeptRuleRow, UserRuleRow } from '@campus/access/contract'
import { AppModal, call, leaving, schoolToday, useDictionary } from '@kit/web'
import { Alert, DatePicker, Form, Radio, Select } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { PlanPanel } from '../rule/plan-panel.tsx'
import { PlanButtons, usePlan } from '../rule/use-plan.tsx'
import { DeptSelect, PeopleChoice, RuleSelect } from './choices.tsx'
import { DoorSelect } from './door-select.tsx'

type Values = { dept_ids: string[]; user_ids: string[]; mode: 1 | 2; study_method?: string; rule_id: string; in_place_ids?: string[]; out_place_ids?: string[]; valid_from: Dayjs; valid_to?: Dayjs | null }
type Props = { scene: number; of: 'dept' | 'user'; row: DeptRuleRow | UserRuleRow | null; onClose: () => void; onDone: () => void }
const required = (message: string) => [{ required: true, message }]
const modes = Object.entries(mode_names).map(([code, label]) => ({ value: code === '1' ? 1 : 2, label: `${label}部门规则` }))

/** 新增 and 编辑 of a rule for departments or people, in two steps: plan, then publish. */
export function AssignDialog({ scene, of, row, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const methods = useDictionary('STUDY_METHOD')
  const send = async (how: { preview: boolean; plan_hash: string | null }) => {
    const values = await form.validateFields()
    const { rule_id, in_place_ids = [], out_place_ids = [] } = values
    const doors = { rule_id, in_place_ids, out_place_ids, valid_from: values.valid_from.format('YYYY-MM-DD'), valid_to: values.valid_to?.format('YYYY-MM-DD') ?? null, ...how }
    const quiet = { quiet: true }
    if (row && 'dept_rule_id' in row) return call(deptRuleApi.update, { ...doors, dept_rule_id: row.dept_rule_id, row_version: row.row_version }, quiet)
    if (row) return call(userRuleApi.update, { ...doors, user_rule_id: row.user_rule_id, row_version: row.row_version, mode: values.mode }, quiet)
    if (of === 'dept') return call(deptRuleApi.add, { ...doors, scene, dept_ids: values.dept_ids, study_method: values.study_method ?? null }, quiet)
    return call(userRuleApi.add, { ...doors, scene, user_ids: values.user_ids, mode: values.mode }, quiet)
  }
  const done = () => {
    onDone()
    onClose()
  }
  const plan = usePlan(form, send, done)
  const leave = leaving(form, onClose)
  const initial = {
    mode: row && 'mode' in row && row.mode === 2 ? 2 : 1, rule_id: row?.rule_id, in_place_ids: row?.in_places.map(place => place.place_id), out_place_ids: row?.out_places.map(place => place.place_id),
    valid_from: dayjs(row && row.valid_from > schoolToday() ? row.valid_from : schoolToday()), valid_to: row?.valid_to ? dayjs(row.valid_to) : null,
  }
  const whom = row ? ('dept_name' in row && 'dept_rule_id' in row ? row.dept_name : 'user_name' in row ? row.user_name : '') : ''
  return (
    <AppModal open width={720} title={row ? `编辑通行规则：${whom}` : of === 'dept' ? '新增部门规则' : '新增个人规则'} onCancel={leave} footer={<PlanButtons of={plan} onCancel={leave} />}>
      {plan.refused !== null && <Alert type="warning" showIcon title={plan.refused} />}
      <Form form={form} name="access-assign" layout="vertical" initialValues={initial} onValuesChange={plan.forget}>
        {!row && of === 'dept' && <Form.Item name="dept_ids" label="部门" rules={required('请选择部门')}><DeptSelect scene={scene} /></Form.Item>}
        {!row && of === 'dept' && scene === 1 && <Form.Item name="study_method" label="就读方式"><Select allowClear placeholder="不限" options={methods.map(one => ({ value: one.value, label: one.label }))} /></Form.Item>}
        {!row && of === 'user' && <Form.Item name="user_ids" label="人员" rules={required('请选择人员')}><PeopleChoice scene={scene} /></Form.Item>}
        {of === 'user' && <Form.Item name="mode" label="方式" extra="替换：只按此规则；追加：在部门规则之外再增加"><Radio.Group options={modes} /></Form.Item>}
        <Form.Item name="rule_id" label="规则" rules={required('请选择规则')}><RuleSelect scene={scene} /></Form.Item>
        <div className="access-form-row">
          <Form.Item name="in_place_ids" label="进"><DoorSelect way={1} /></Form.Item>
          <Form.Item name="out_place_ids" label="出"><DoorSelect way={2} /></Form.Item>
          <Form.Item name="valid_from" label="生效日期" rules={required('请选择生效日期')}><DatePicker className="kit-fill" minDate={dayjs(schoolToday())} /></Form.Item>
          <Form.Item name="valid_to" label="失效日期" extra="不填为长期有效"><DatePicker className="kit-fill" /></Form.Item>
        </div>
      </Form>
      {plan.plan && <PlanPanel plan={plan.plan} />}
    </AppModal>
  )
}

/** Ending rules: who loses what is shown before. */
export function EndDialog({ of, ids, onClose, onDone }: { of: 'dept' | 'user'; ids: string[]; onClose: () => void; onDone: () => void }): ReactNode {
  const send = (how: { preview: boolean; plan_hash: string | null }) => call(of === 'dept' ? deptRuleApi.end : userRuleApi.end, { ids, ...how }, { quiet: true })
  const done = () => {
    onDone()
    onClose()
  }
  const plan = usePlan(undefined, send, done)
  return (
    <AppModal open width={640} title={`结束 ${ids.length} 条规则`} onCancel={onClose} footer={<PlanButtons of={plan} onCancel={onClose} />}>
      {plan.refused !== null && <Alert type="warning" showIcon title={plan.refused} />}
      <p>规则从现在起不再生效，之前的记录仍可查询。请先预演，查看受影响的人。</p>
      {plan.plan && <PlanPanel plan={plan.plan} />}
    </AppModal>
  )
}
