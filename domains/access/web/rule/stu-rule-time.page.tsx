import { ruleApi, scene_names } from '@campus/access/contract'
import type { RuleRow } from '@campus/access/contract'
import { call, Can, PageFrame, PageTabs } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Segmented, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ReceiptTable } from '../effect/receipts.tsx'
import { RuleDays } from './rule-days.tsx'
import { textOf, WeekPicture } from './week-picture.tsx'
import '../access.css'

const RuleDialog = lazyDialog(() => import('./rule-dialog.tsx').then(part => part.RuleDialog))
const CopyDialog = lazyDialog(() => import('./rule-dialog.tsx').then(part => part.CopyDialog))
const scenes = Object.entries(scene_names).map(([code, label]) => ({ value: Number(code), label }))
const tabs = [{ key: 'week', label: '周历' }, { key: 'days', label: '校历预览' }, { key: 'versions', label: '版本记录' }, { key: 'receipts', label: '送达' }] as const
type Tab = (typeof tabs)[number]['key']

/** 学生通行时段: rules with their weeks, and what the calendar makes of them (chapter 35 §5). */
export default function StuRuleTime(): ReactNode {
  const [scene, setScene] = useState(1)
  const [chosen, choose] = useState<string>()
  const { open, close, dialog } = useDialog()
  const query = useCall(ruleApi.list, { scene: String(scene) })
  const list = query.data?.list ?? []
  const rule = list.find(one => one.rule_id === chosen) ?? list[0]
  const add = () => open(<RuleDialog scene={scene} rule={null} onClose={close} onDone={choose} />)
  const edit = (row: RuleRow) => open(<RuleDialog scene={scene} rule={row} onClose={close} onDone={choose} />)
  const copy = (row: RuleRow) => open(<CopyDialog rule={row} onClose={close} onDone={choose} />)
  return (
    <PageFrame help="设置每条规则一周里哪些时间可进、可出，随校历自动变化" actions={<Can code={ruleApi.add}><Button type="primary" onClick={add}>新增规则</Button></Can>}>
      <div className="access-rules" data-ready={query.data ? 'list' : undefined}>
        <aside aria-label="规则">
          <Segmented block size="small" aria-label="规则类型" options={scenes} value={scene} onChange={setScene} />
          <Loaded query={query} empty="还没有规则：点右上角“新增规则”">
            {({ list: rows }) => rows.map(one => <RuleItem key={one.rule_id} rule={one} is_chosen={one.rule_id === rule?.rule_id} choose={choose} />)}
          </Loaded>
        </aside>
        <section aria-label="规则内容">{rule ? <RuleDetail key={rule.rule_id} rule={rule} edit={edit} copy={copy} /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择一条规则" />}</section>
      </div>
      {dialog}
    </PageFrame>
  )
}

function RuleItem({ rule, is_chosen, choose }: { rule: RuleRow; is_chosen: boolean; choose: (rule_id: string) => void }): ReactNode {
  const { rule_id, rule_name, used_depts, used_users, enabled } = rule
  return (
    <button type="button" className="access-rule-item" aria-current={is_chosen} onClick={() => choose(rule_id)}>
      {rule_name} {!enabled && <Tag>停用</Tag>}
      <small>使用：{used_depts}个部门、{used_users}人</small>
    </button>
  )
}

type Open = (rule: RuleRow) => void

function RuleDetail({ rule, edit, copy }: { rule: RuleRow; edit: Open; copy: Open }): ReactNode {
  const [tab, setTab] = useState<Tab>('week')
  const { act, busy } = useAct([ruleApi.list])
  const { rule_id, rule_name, enabled, periods } = rule
  const turn = () => void act(() => call(ruleApi.turn, { rule_id, enabled: !enabled }, { quiet: true }), { done: enabled ? '已停用' : '已启用' })
  const remove = () => void act(() => call(ruleApi.remove, { rule_id }, { quiet: true }), { ask: { title: `确定删除规则“${rule_name}”吗？`, ok: '删除' }, done: '删除成功!' })
  return (
    <>
      <div className="access-rule-head">
        <h2>{rule_name} <Tag>第{rule.version}版</Tag></h2>
        <Can code={ruleApi.update}><Button type="primary" ghost onClick={() => edit(rule)}>编辑时段</Button></Can>
        <Can code={ruleApi.copy}><Button onClick={() => copy(rule)}>复制</Button></Can>
        <Can code={ruleApi.turn}><Button loading={busy} onClick={turn}>{enabled ? '停用' : '启用'}</Button></Can>
        <Can code={ruleApi.remove}><Button danger loading={busy} onClick={remove}>删除</Button></Can>
      </div>
      <PageTabs tabs={tabs} value={tab} onChange={setTab} />
      {tab === 'week' && (
        <>
          <div className="access-legend"><span><b data-way="1" aria-hidden />上：进</span><span><b data-way="2" aria-hidden />下：出</span><span>没有颜色的时间不可通行</span></div>
          <WeekPicture periods={periods} />
          <ul>{periods.map(period => <li key={textOf(period)}>{textOf(period)}</li>)}</ul>
          {rule.dates.length > 0 && <p>特殊日期：{rule.dates.map(one => `${one.date}${one.closed ? '不可通行' : ''}`).join('、')}</p>}
        </>
      )}
      {tab === 'days' && <RuleDays rule_id={rule_id} />}
      {tab === 'versions' && <Versions rule_id={rule_id} />}
      {tab === 'receipts' && <RuleReceipts rule_id={rule_id} />}
    </>
  )
}

function RuleReceipts({ rule_id }: { rule_id: string }): ReactNode {
  const query = useCall(ruleApi.receipts, { rule_id })
  return <Loaded query={query} empty="还没有下发：部门或人员使用这条规则并发布后，这里列出每台设备的送达情况">{receipts => <ReceiptTable receipts={receipts} />}</Loaded>
}

function Versions({ rule_id }: { rule_id: string }): ReactNode {
  const query = useCall(ruleApi.detail, { rule_id })
  return (
    <Loaded query={query}>
      {({ versions }) => (
        <ul>
          {versions.map(one => (
            <li key={one.version}>
              第{one.version}版 {new Date(one.valid_from).toLocaleString('zh-CN')} 起{one.valid_to === null ? '' : `，到 ${new Date(one.valid_to).toLocaleString('zh-CN')}`} {one.by_name}
              <p className="access-hint">{one.periods.map(textOf).join('；') || '不可通行'}</p>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
