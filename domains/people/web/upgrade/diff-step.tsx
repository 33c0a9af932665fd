import { UPGRADE_EXCEPTION } from '@campus/people/contract'
import type { UpgradeDiff, UpgradePlan, UpgradeRow } from '@campus/people/contract'
import { sentenceOf, useSaving } from '@kit/web'
import { Alert, Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDiff } from './use-upgrade.ts'

const kind_names: Readonly<Record<UpgradeRow['kind'], string>> = { new: '新增', renamed: '改名', graduated: '毕业', continued: '升学段', closed: '关闭', same: '不变', open: '未定' }
const kind_colors: Readonly<Record<UpgradeRow['kind'], string>> = { new: 'green', renamed: 'blue', graduated: 'purple', continued: 'purple', closed: 'default', same: 'default', open: 'red' }
const class_type = 4

type Props = { plan: UpgradePlan; simulate: () => Promise<unknown> }

/** 模拟对比: what would be different, department by department, and what it means for other domains. */
export function DiffStep({ plan, simulate }: Props): ReactNode {
  const { data, error } = useDiff(plan)
  const { busy, refused, run } = useSaving()
  const is_old = plan.state === 'draft' || plan.is_stale
  return (
    <section className="up-panel" aria-label="模拟对比">
      <div className="up-bar">
        <p>模拟不会改动任何数据。部门、班级或学生有变化时，请重新模拟。</p>
        <Button type={is_old ? 'primary' : 'default'} loading={busy} onClick={() => void run(simulate, '模拟完成')}>{plan.state === 'draft' ? '开始模拟' : '重新模拟'}</Button>
      </div>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {error && plan.state !== 'draft' && <Alert type="error" showIcon title={sentenceOf(error)} />}
      {plan.is_stale && <Alert type="warning" showIcon title="组织或人员在模拟后已变更，请重新模拟" />}
      {plan.state !== 'draft' && data && <Found diff={data} />}
      {plan.state === 'draft' && <p className="up-none">尚未模拟。</p>}
    </section>
  )
}

/** What a simulation found. */
function Found({ diff }: { diff: UpgradeDiff }): ReactNode {
  const [only, setOnly] = useState<UpgradeRow['kind'] | null>(null)
  const { totals, rows, unmapped, impact, duties, people } = diff
  const classes = rows.filter(row => row.dept_type === class_type)
  const kinds = [...new Set(classes.map(row => row.kind))]
  const over = classes.filter(row => row.capacity !== null && row.after > row.capacity).length
  return (
    <>
      <dl className="up-totals">
        {[['升级前', totals.before], ['升级后', totals.after], ['毕业', totals.graduated], ['升学段', totals.continued], ['留级', totals.repeated], ['跳级', totals.skipped], ['离校', totals.left], ['休学', totals.suspended]].map(([word, count]) => (
          <div key={word}><dt>{word}</dt><dd>{count}</dd></div>
        ))}
      </dl>
      {unmapped.length > 0 && (
        <Alert type="error" showIcon title={`还有 ${unmapped.length} 项未确定，处理后才能签署`} description={<ul className="up-list">{unmapped.map(one => <li key={`${one.dept_id ?? ''} ${one.user_id ?? ''}`}>{one.name}：{one.reason}</li>)}</ul>} />
      )}
      {over > 0 && <Alert type="warning" showIcon title={`${over} 个班级升级后超过人数上限`} />}
      <div className="up-kinds" role="group" aria-label="筛选变化">
        <Button size="small" type={only === null ? 'primary' : 'default'} aria-pressed={only === null} onClick={() => setOnly(null)}>全部 {classes.length}</Button>
        {kinds.map(kind => <Button key={kind} size="small" type={only === kind ? 'primary' : 'default'} aria-pressed={only === kind} onClick={() => setOnly(kind)}>{kind_names[kind]} {classes.filter(row => row.kind === kind).length}</Button>)}
      </div>
      <DiffTable rows={only === null ? classes : classes.filter(row => row.kind === only)} />
      {people.length > 0 && <Lines title="例外学生" lines={people.map(one => `${one.user_name}：${UPGRADE_EXCEPTION.names[one.action]}，${one.old_label} → ${one.new_label ?? '离校'}`)} />}
      {duties.length > 0 && <Lines title="结束的职务" lines={duties.map(one => `${one.user_name}：${one.dept_name}`)} />}
      <Lines title="对其他功能的影响" lines={impact.map(one => `${one.count} ${one.title}：${one.choice === 'follow' ? '随班级走' : '固定年级'}`)} none="没有功能登记了对年级或班级的引用。" />
    </>
  )
}

function DiffTable({ rows }: { rows: readonly UpgradeRow[] }): ReactNode {
  return (
    <table className="up-table">
      <thead>
        <tr><th>变化</th><th>升级前</th><th>升级后</th><th className="up-number">原人数</th><th className="up-number">新人数</th></tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={`${row.dept_id ?? ''} ${row.new_label ?? ''}`}>
            <td><Tag color={kind_colors[row.kind]}>{kind_names[row.kind]}</Tag></td>
            <td>{row.old_label ?? '—'}</td><td>{row.new_label ?? '—'}</td><td className="up-number">{row.before}</td>
            <td className="up-number" data-over={row.capacity !== null && row.after > row.capacity}>{row.after}{row.capacity === null ? '' : ` / ${row.capacity}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Lines({ title, lines, none }: { title: string; lines: readonly string[]; none?: string }): ReactNode {
  return (
    <>
      <h2 className="up-title">{title}</h2>
      {lines.length === 0 ? <p className="up-none">{none}</p> : <ul className="up-list">{lines.map(line => <li key={line}>{line}</li>)}</ul>}
    </>
  )
}
