import { PlusOutlined } from '@ant-design/icons'
import { aiRuleApi } from '@campus/devices/contract'
import type { AiRule } from '@campus/devices/contract'
import { call, Can, confirmDanger, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button, Switch } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { aiRuleFields } from './ai-rule.fields.tsx'
import { useAiRulesChanged } from './use-ai-rules.ts'
import '../devices.css'
import '../rule/rule.css'
import './ai.css'

const AiRuleDrawer = lazy(() => import('./ai-rule-drawer.tsx').then(part => ({ default: part.AiRuleDrawer })))
const ROW_WIDTH = 112

/** AI预警规则: what boxes are to warn of, and how often they were wrong. */
export default function AiRules(): ReactNode {
  const [opened, open] = useState<{ rule: AiRule | null } | null>(null)
  const may_edit = useCan(aiRuleApi.save)
  const changed = useAiRulesChanged()
  const list = useResourceList(aiRuleApi.page, useMemo(() => aiRuleFields(rule => <Toggle rule={rule} />), []))
  const remove = async (rule: AiRule) => {
    const is_sure = await confirmDanger({ title: `删除规则“${rule.rule_name}”？`, touches: `${rule.cameras.length}台摄像机不再按此规则预警，已有的预警记录保留`, ok: '删除' })
    if (is_sure && (await tried(() => call(aiRuleApi.delete, { rule_id: rule.rule_id, row_version: rule.row_version }, { quiet: true }), '删除成功!'))) await changed()
  }
  const row = (rule: AiRule) => may_edit && (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${rule.rule_name}`} onClick={() => open({ rule })}>编辑</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${rule.rule_name}`} onClick={() => void remove(rule)}>删除</Button>
    </>
  )
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'warn_kind', 'enabled']} />}
      actions={<Can code={aiRuleApi.save}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ rule: null })}>新增AI预警规则</Button></Can>}
    >
      <Table of={list} show={['rule_name', 'warn_kind', 'cameras', 'windows', 'warnings_30d', 'false_alarms', 'last_hit_at', 'enabled']} more={['merge_sec']} row={row} row_width={ROW_WIDTH} empty="还没有AI预警规则，点击右上角新增" />
      <Suspense>{opened && <AiRuleDrawer rule={opened.rule} onClose={() => open(null)} />}</Suspense>
    </ListPage>
  )
}

/** The switch of a rule. */
function Toggle({ rule }: { rule: AiRule }): ReactNode {
  const [busy, setBusy] = useState(false)
  const may_edit = useCan(aiRuleApi.save)
  const changed = useAiRulesChanged()
  const turn = async (enabled: boolean) => {
    setBusy(true)
    const { rule_id, rule_name, warn_kind, cameras, windows, sensitivity, dwell_sec, merge_sec, notify_roles, row_version } = rule
    const draft = { rule_name, warn_kind, windows, sensitivity, dwell_sec, merge_sec, cameras: cameras.map(({ camera_device_id, roi }) => ({ camera_device_id, roi })), notify_role_ids: notify_roles.map(role => role.role_id) }
    await tried(() => call(aiRuleApi.save, { ...draft, rule_id, row_version, enabled }, { quiet: true }), '设置成功')
    await changed()
    setBusy(false)
  }
  return <Switch size="small" checked={rule.enabled} loading={busy} disabled={!may_edit} aria-label={`启用 ${rule.rule_name}`} onChange={enabled => void turn(enabled)} />
}

async function tried(change: () => Promise<unknown>, done: string): Promise<boolean> {
  try {
    await change()
    toast.success(done)
    return true
  } catch (cause) {
    toast.error(sentenceOf(cause))
    return false
  }
}
