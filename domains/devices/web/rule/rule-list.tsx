import { PlusOutlined } from '@ant-design/icons'
import { ruleApi } from '@campus/devices/contract'
import type { DeviceRule } from '@campus/devices/contract'
import { call, Can, confirmDanger, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { Button, Dropdown, Switch } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { kindName } from './rule-words.ts'
import type { RuleKind } from './rule-words.ts'
import { ruleFields } from './rule.fields.tsx'
import { useRulesChanged } from './use-rules.ts'
import '../devices.css'
import './rule.css'

const RuleDrawer = lazy(() => import('./rule-drawer.tsx').then(part => ({ default: part.RuleDrawer })))
type Opened = { rule: DeviceRule | null; is_copy: boolean } | null
const ROW_WIDTH = 120

/** The rules of one kind: their week as a picture, whom they are for and how many devices follow. */
export function RuleList({ kind, about }: { kind: RuleKind; about: string }): ReactNode {
  const [opened, open] = useState<Opened>(null)
  const may_edit = useCan(ruleApi.update)
  const changed = useRulesChanged()
  const columns = useMemo(() => ruleFields(rule => <Toggle rule={rule} />), [])
  const list = useResourceList(ruleApi.page, columns, { fixed: { rule_kind: String(kind) } })
  const remove = async (rule: DeviceRule) => {
    const is_sure = await confirmDanger({ title: `删除规则“${rule.rule_name}”？`, touches: rule.enabled ? `${rule.devices_wanted}台设备将不再执行此规则` : '此规则没有启用', ok: '删除' })
    if (is_sure && (await tried(() => call(ruleApi.delete, { id: rule.rule_id }, { quiet: true }), '删除成功!'))) await changed()
  }
  const act = (rule: DeviceRule): Record<string, () => void> => ({ copy: () => open({ rule, is_copy: true }), remove: () => void remove(rule) })
  const row = (rule: DeviceRule) => may_edit && (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${rule.rule_name}`} onClick={() => open({ rule, is_copy: false })}>编辑</Button>
      <Dropdown trigger={['click']} menu={{ items: [{ key: 'copy', label: '复制' }, { key: 'remove', label: '删除', danger: true }], onClick: ({ key }) => act(rule)[key]?.() }}>
        <Button type="link" size="small" aria-label={`更多 ${rule.rule_name}`}>更多</Button>
      </Dropdown>
    </>
  )
  return (
    <ListPage
      of={list}
      head={<p className="device-hint">{about}</p>}
      filters={<Filters of={list} show={['keyword', 'enabled']} />}
      actions={<Can code={ruleApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ rule: null, is_copy: false })}>{`新增${kindName(kind)}`}</Button></Can>}
    >
      <Table of={list} show={['rule_name', 'week', 'targets', 'valid', 'priority', 'enabled', 'applied']} row={row} row_width={ROW_WIDTH} empty={`还没有${kindName(kind)}，点击右上角新增`} />
      <Suspense>{opened && <RuleDrawer kind={kind} rule={opened.rule} is_copy={opened.is_copy} onClose={() => open(null)} />}</Suspense>
    </ListPage>
  )
}

/** The switch of a rule. */
function Toggle({ rule }: { rule: DeviceRule }): ReactNode {
  const [busy, setBusy] = useState(false)
  const may_edit = useCan(ruleApi.enable)
  const changed = useRulesChanged()
  const turn = async (enabled: boolean) => {
    setBusy(true)
    await tried(() => call(ruleApi.enable, { rule_id: rule.rule_id, row_version: rule.row_version, enabled }, { quiet: true }), '设置成功')
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
