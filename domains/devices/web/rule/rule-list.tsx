import { ruleApi } from '@campus/devices/contract'
import type { DeviceRule } from '@campus/devices/contract'
import { call, useResourceList } from '@kit/web'
import { lazy, useMemo } from 'react'
import type { ReactNode } from 'react'
import { RuleSwitch, RuleTable } from './rule-table.tsx'
import type { OpenedRule, RuleActs } from './rule-table.tsx'
import { kindName } from './rule-words.ts'
import type { RuleKind } from './rule-words.ts'
import { ruleFields } from './rule.fields.tsx'
import '../devices.css'
import './rule.css'

const RuleDrawer = lazy(() => import('./rule-drawer.tsx').then(part => ({ default: part.RuleDrawer })))
const acts: RuleActs<DeviceRule> = {
  need: ruleApi.update,
  turn: ({ rule_id, row_version }, enabled) => call(ruleApi.enable, { rule_id, row_version, enabled }, { quiet: true }),
  remove: ({ rule_id }) => call(ruleApi.delete, { id: rule_id }, { quiet: true }),
  touches: rule => (rule.enabled ? `${rule.devices_wanted}台设备将不再执行此规则` : '此规则没有启用'),
  read: [ruleApi.page],
}

/** The rules of one kind: their week as a picture, whom they are for and how many devices follow. */
export function RuleList({ kind, about }: { kind: RuleKind; about: string }): ReactNode {
  const list = useResourceList(ruleApi.page, useMemo(() => ruleFields(rule => <RuleSwitch rule={rule} acts={acts} />), []), { fixed: { rule_kind: String(kind) } })
  const drawer = ({ rule, is_copy }: OpenedRule<DeviceRule>, close: () => void) => <RuleDrawer kind={kind} rule={rule} is_copy={is_copy} onClose={close} />
  return (
    <RuleTable
      of={list} acts={acts} noun={kindName(kind)} head={<p className="device-hint">{about}</p>} filter_by={['keyword', 'enabled']} show={['rule_name', 'week', 'targets', 'valid', 'priority', 'enabled', 'applied']}
      drawer={drawer}
    />
  )
}
