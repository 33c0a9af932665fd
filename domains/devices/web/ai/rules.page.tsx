import { aiRuleApi } from '@campus/devices/contract'
import type { AiRule } from '@campus/devices/contract'
import { call, useResourceList } from '@kit/web'
import { lazy, useMemo } from 'react'
import type { ReactNode } from 'react'
import { RuleSwitch, RuleTable } from '../rule/rule-table.tsx'
import type { OpenedRule, RuleActs } from '../rule/rule-table.tsx'
import { aiRuleFields } from './ai-rule.fields.tsx'
import { ai_rule_reads, useBoxesAnswering } from './use-ai-rules.ts'
import '../devices.css'
import '../rule/rule.css'
import './ai.css'

const AiRuleDrawer = lazy(() => import('./ai-rule-drawer.tsx').then(part => ({ default: part.AiRuleDrawer })))
const acts: RuleActs<AiRule> = {
  need: aiRuleApi.save,
  turn: ({ rule_id, rule_name, warn_kind, cameras, windows, sensitivity, dwell_sec, merge_sec, notify_roles, row_version }, enabled) => {
    const draft = { rule_name, warn_kind, windows, sensitivity, dwell_sec, merge_sec, cameras: cameras.map(({ camera_device_id, roi }) => ({ camera_device_id, roi })), notify_role_ids: notify_roles.map(role => role.role_id) }
    return call(aiRuleApi.save, { ...draft, rule_id, row_version, enabled }, { quiet: true })
  },
  remove: ({ rule_id, row_version }) => call(aiRuleApi.delete, { rule_id, row_version }, { quiet: true }),
  touches: rule => `${rule.cameras.length}台摄像机不再按此规则预警，已有的预警记录保留`,
  read: ai_rule_reads,
}

/** AI预警规则: what boxes are to warn of, which of them do, and how often they were wrong. */
export default function AiRules(): ReactNode {
  const list = useResourceList(aiRuleApi.page, useMemo(() => aiRuleFields(rule => <RuleSwitch rule={rule} acts={acts} />), []))
  useBoxesAnswering(list.rows)
  return (
    <RuleTable
      of={list} acts={acts} noun="AI预警规则" filter_by={['keyword', 'warn_kind', 'enabled']} show={['rule_name', 'warn_kind', 'cameras', 'boxes', 'windows', 'warnings_30d', 'false_alarms', 'enabled']} more={['last_hit_at', 'merge_sec']}
      drawer={drawer}
    />
  )
}

function drawer({ rule, is_copy }: OpenedRule<AiRule>, close: () => void): ReactNode {
  return <AiRuleDrawer rule={rule} is_copy={is_copy} onClose={close} />
}
