import { AiRuleDraft, aiRuleApi } from '@campus/devices/contract'
import type { AiPoint, AiRule } from '@campus/devices/contract'
import { call, mayDiscard, useSaving } from '@kit/web'
import { Form } from 'antd'
import { useState } from 'react'
import type { WeekWindow } from '../rule/week.ts'
import { useAiRulesChanged } from './use-ai-rules.ts'

type Values = { rule_name: string; warn_kind: AiRule['warn_kind']; camera_ids: string[]; sensitivity: number; dwell_sec: number; merge_sec: number; notify_role_ids: string[] }
type Areas = Readonly<Record<string, AiPoint[]>>
const field_names = ['rule_name', 'warn_kind', 'camera_ids', 'sensitivity', 'dwell_sec', 'merge_sec', 'notify_role_ids'] as const
const homes = { 'devices.aiRuleNameTaken': 'rule_name', 'devices.aiCameraInvalid': 'camera_ids', 'devices.aiNoValidDevice': 'camera_ids' }

/** A rule of boxes as it is written: its form, its week and its areas, and what is wrong with them. */
export function useAiRuleForm(rule: AiRule | null, onClose: () => void) {
  const [form] = Form.useForm<Values>()
  const [windows, setWindows] = useState<WeekWindow[]>((rule?.windows ?? []).map(window => ({ ...window })))
  const [areas, setAreas] = useState<Areas>(Object.fromEntries((rule?.cameras ?? []).map(camera => [camera.camera_device_id, camera.roi ?? []])))
  const [is_touched, touch] = useState(false)
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map())
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useAiRulesChanged()
  const save = async () => {
    const verdict = AiRuleDraft.safeParse(draftOf(form.getFieldsValue(), windows, areas, rule?.enabled ?? true))
    form.setFields(field_names.map(name => ({ name, errors: [] })))
    if (!verdict.success) {
      const issues = verdict.error.issues.map(({ path, message }) => ({ path: path.map(String), message }))
      setFaults(new Map(issues.flatMap(({ path: [first, at], message }) => (first === 'windows' && at !== undefined ? [[Number(at), message] as const] : []))))
      form.setFields(issues.flatMap(({ path: [first = ''], message }) => fieldsOf(first).map(name => ({ name, errors: [message] }))))
      return
    }
    if (!(await run(() => call(aiRuleApi.save, { ...verdict.data, ...(rule ? { rule_id: rule.rule_id, row_version: rule.row_version } : {}) }, { quiet: true }), rule ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if ((!is_touched && !form.isFieldsTouched()) || (await mayDiscard())) onClose()
  }
  const changeWindows = (next: WeekWindow[]) => {
    touch(true)
    setFaults(new Map())
    setWindows(next)
  }
  const changeArea = (camera_id: string, roi: AiPoint[]) => {
    touch(true)
    setAreas({ ...areas, [camera_id]: roi })
  }
  return { form, windows, changeWindows, areas, changeArea, faults, busy, refused, save, leave }
}

function draftOf({ camera_ids = [], ...values }: Values, windows: readonly WeekWindow[], areas: Areas, enabled: boolean): unknown {
  const roiOf = (id: string) => (areas[id]?.length ? areas[id] : null)
  return { ...values, enabled, cameras: camera_ids.map(camera_device_id => ({ camera_device_id, roi: roiOf(camera_device_id) })), windows: windows.map(({ weekdays, begin, end }) => ({ weekdays, begin, end })) }
}

/** The field that a part of the draft stands in; none for the week. */
function fieldsOf(part: string): (keyof Values)[] {
  return field_names.filter(name => name === (part === 'cameras' ? 'camera_ids' : part))
}
