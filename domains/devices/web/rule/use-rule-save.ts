import { DeviceRuleDraft, ruleApi } from '@campus/devices/contract'
import type { DeviceRule } from '@campus/devices/contract'
import { call, useSaving } from '@kit/web'
import type { FormInstance } from 'antd'
import { useState } from 'react'
import { draftOf, field_names, fieldsOf } from './rule-draft.ts'
import type { RuleValues } from './rule-draft.ts'
import type { RuleKind } from './rule-words.ts'
import { useRulesChanged } from './use-rules.ts'
import type { WeekWindow } from './week.ts'

const homes = { 'devices.ruleNameTaken': 'rule_name', 'devices.ruleOverlap': 'priority', 'devices.ruleGateClose': 'device_ids', 'devices.ruleUnsupported': 'place_ids' }
type Asked = { form: FormInstance<RuleValues>; kind: RuleKind; windows: readonly WeekWindow[]; /** the rule to change; null: a new one */ rule: DeviceRule | null; onClose: () => void }

/** Saves a rule; what is wrong stands beside its field, or beside its line of the week (`faults`, `missing`). */
export function useRuleSave({ form, kind, windows, rule, onClose }: Asked) {
  const [faults, setFaults] = useState<ReadonlyMap<number, string>>(new Map())
  const [missing, setMissing] = useState<string | null>(null)
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useRulesChanged()
  const forget = () => {
    setFaults(new Map())
    setMissing(null)
  }
  const save = async () => {
    form.setFields(field_names.map(name => ({ name, errors: [] })))
    const verdict = DeviceRuleDraft.safeParse(draftOf(kind, form.getFieldsValue(), windows))
    if (!verdict.success) {
      const issues = verdict.error.issues.map(({ path, message }) => ({ path: path.map(String), message }))
      setFaults(new Map(issues.flatMap(({ path: [body, of, at], message }) => (body === 'body' && of === 'windows' && at !== undefined ? [[Number(at), message] as const] : []))))
      setMissing(issues.find(({ path }) => path.join('.') === 'body.windows')?.message ?? null)
      form.setFields(issues.flatMap(({ path, message }) => fieldsOf(path).map(name => ({ name, errors: [message] }))))
      return
    }
    const send = () => rule ? call(ruleApi.update, { id: rule.rule_id, row_version: rule.row_version, ...verdict.data, enabled: rule.enabled }, { quiet: true }) : call(ruleApi.add, verdict.data, { quiet: true })
    if (!(await run(send, rule ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  return { busy, refused, faults, missing, save, forget }
}
