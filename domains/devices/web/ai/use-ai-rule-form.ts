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
const longest_name = 30
type Issue = { path: string[]; message: string }
/** What is wrong: by line of the week, and by camera with its area. */
type Faults = { windows: ReadonlyMap<number, string>; areas: ReadonlyMap<string, string> }
const no_faults: Faults = { windows: new Map(), areas: new Map() }

/** The form as it opens. */
export function valuesOf(rule: AiRule | null, is_copy: boolean): Partial<Values> {
  if (!rule) return { sensitivity: 60, dwell_sec: 0, merge_sec: 120, camera_ids: [], notify_role_ids: [] }
  const { rule_name, warn_kind, sensitivity, dwell_sec, merge_sec, cameras, notify_roles } = rule
  return { rule_name: is_copy ? `${rule_name}-副本`.slice(0, longest_name) : rule_name, warn_kind, sensitivity, dwell_sec, merge_sec, camera_ids: cameras.map(camera => camera.camera_device_id), notify_role_ids: notify_roles.map(role => role.role_id) }
}

/** A rule of boxes as it is written: its form, its week and its areas, and what is wrong with them. */
export function useAiRuleForm({ rule, is_copy, onClose }: { rule: AiRule | null; is_copy: boolean; onClose: () => void }) {
  const [form] = Form.useForm<Values>()
  const [windows, setWindows] = useState<WeekWindow[]>((rule?.windows ?? []).map(window => ({ ...window })))
  const [areas, setAreas] = useState<Areas>(Object.fromEntries((rule?.cameras ?? []).map(camera => [camera.camera_device_id, camera.roi ?? []])))
  const [shown, show] = useState('')
  const [is_touched, touch] = useState(false)
  const [faults, setFaults] = useState(no_faults)
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useAiRulesChanged()
  const own = is_copy ? null : rule
  const save = async () => {
    const values = form.getFieldsValue()
    const verdict = AiRuleDraft.safeParse(draftOf(values, windows, areas, own?.enabled ?? true))
    form.setFields(field_names.map(name => ({ name, errors: [] })))
    if (!verdict.success) {
      const issues = verdict.error.issues.map(({ path, message }): Issue => ({ path: path.map(String), message }))
      const found = faultsOf(issues, values.camera_ids ?? [])
      const [first] = found.areas.keys()
      setFaults(found)
      if (first !== undefined) show(first)
      const wrong = issues.filter(issue => !isArea(issue)).flatMap(({ path: [part = ''], message }) => fieldsOf(part).map(name => ({ name, errors: [message] })))
      form.setFields(wrong)
      if (wrong[0]) form.scrollToField(wrong[0].name, { block: 'center' })
      return
    }
    if (!(await run(() => call(aiRuleApi.save, { ...verdict.data, ...(own ? { rule_id: own.rule_id, row_version: own.row_version } : {}) }, { quiet: true }), own ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  const leave = async () => {
    if ((!is_touched && !form.isFieldsTouched()) || (await mayDiscard())) onClose()
  }
  // What is wrong with a field is no more once it is another.
  const forget = (typed: object) => form.setFields(field_names.filter(name => name in typed).map(name => ({ name, errors: [] })))
  const changeWindows = (next: WeekWindow[]) => {
    touch(true)
    setFaults({ ...faults, windows: new Map() })
    setWindows(next)
  }
  const changeArea = (camera_id: string, roi: AiPoint[]) => {
    touch(true)
    setFaults({ ...faults, areas: new Map([...faults.areas].filter(([id]) => id !== camera_id)) })
    setAreas({ ...areas, [camera_id]: roi })
  }
  return { form, windows, changeWindows, areas, changeArea, shown, show, faults: faults.windows, area_faults: faults.areas, forget, busy, refused, save, leave }
}

function faultsOf(issues: readonly Issue[], camera_ids: readonly string[]): Faults {
  return {
    windows: new Map(issues.flatMap(({ path: [part, at], message }) => (part === 'windows' && at !== undefined ? [[Number(at), message] as const] : []))),
    areas: new Map(issues.filter(isArea).flatMap(({ path: [, at], message }) => camera_ids.slice(Number(at), Number(at) + 1).map(id => [id, message] as const))),
  }
}

function isArea({ path: [part, , what] }: Issue): boolean {
  return part === 'cameras' && what === 'roi'
}

function draftOf({ camera_ids = [], ...values }: Values, windows: readonly WeekWindow[], areas: Areas, enabled: boolean): unknown {
  const roiOf = (id: string) => (areas[id]?.length ? areas[id] : null)
  return { ...values, enabled, cameras: camera_ids.map(camera_device_id => ({ camera_device_id, roi: roiOf(camera_device_id) })), windows: windows.map(({ weekdays, begin, end }) => ({ weekdays, begin, end })) }
}

/** The field that a part of the draft stands in; none for the week. */
function fieldsOf(part: string): (keyof Values)[] {
  return field_names.filter(name => name === (part === 'cameras' ? 'camera_ids' : part))
}
