import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import type { UpgradePlan } from '@campus/people/contract'
import { instantText, schoolToday, serverNow, useCan } from '@kit/web'
import { Alert, Button, Progress, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PasswordDialog } from './password-dialog.tsx'
import { RollbackDialog } from './rollback-dialog.tsx'
import type { Upgrade } from './use-upgrade.ts'

const effect_names: Readonly<Record<UpgradePlan['effects'][number]['state'], string>> = { planned: '待执行', waiting: '等待中', running: '执行中', done: '已完成', failed: '失败', skipped: '无需处理', undone: '已撤销' }
const effect_colors: Readonly<Record<string, string>> = { done: 'green', failed: 'red', planned: 'gold', waiting: 'gold', running: 'blue' }
const day_ms = 86_400_000

type Props = { plan: UpgradePlan; upgrade: Upgrade }

/** 签署: another person than the drafter signs with the own password. */
export function SignStep({ plan, upgrade }: Props): ReactNode {
  const [signing, setSigning] = useState(false)
  const may = useCan(upgradeApi.sign)
  const stop = plan.state === 'draft' ? '请先完成模拟' : plan.is_stale ? '组织或人员在模拟后已变更，请重新模拟' : plan.is_mine ? '需由另一位管理员签署，您是方案的制定人' : may ? null : '您没有签署权限，请联系校管理员'
  const is_signed = plan.signed_at !== null
  return (
    <section className="up-panel" aria-label="签署">
      <p>方案制定人：{plan.created_by ?? '—'}。签署后才能执行；方案或学校数据有变化，签署自动失效。</p>
      {is_signed ? (
        <Alert type="success" showIcon title={`${plan.signed_by ?? ''} 已于 ${instantText(plan.signed_at ?? '')} 签署`} />
      ) : (
        <>
          {stop !== null && <Alert type="info" showIcon title={stop} />}
          <Button type="primary" disabled={stop !== null} onClick={() => setSigning(true)}>签署方案</Button>
        </>
      )}
      {signing && <PasswordDialog title="签署升级方案" ok="签署" about={`${plan.school_year}学年，${plan.effective_on}生效：毕业${plan.totals?.graduated ?? 0}人，升学段${plan.totals?.continued ?? 0}人。`} act={password => upgrade.sign(plan, password)} done="已签署" onClose={() => setSigning(false)} />}
    </section>
  )
}

/** 执行: carries the plan out and shows what follows, line by line, whenever the page is opened; the way back for thirty days. */
export function RunStep({ plan, upgrade }: Props): ReactNode {
  const [asking, setAsking] = useState<'run' | 'rollback' | null>(null)
  const may_run = useCan(upgradeRunApi.run)
  const may_roll_back = useCan(upgradeApi.rollback)
  const has_run = plan.command_id !== null
  const days_left = plan.rollback_until === null ? 0 : Math.ceil((Date.parse(plan.rollback_until) - serverNow()) / day_ms)
  const can_roll_back = (plan.state === 'running' || plan.state === 'done') && days_left > 0
  return (
    <section className="up-panel" aria-label="执行">
      {!has_run && (
        <>
          <p>执行后各班级自 {plan.effective_on} 起使用新的年级和名称，毕业学生自当天起离校。30 天内可以回滚。</p>
          {plan.state !== 'signed' && <Alert type="info" showIcon title="方案尚未签署，请先由另一位管理员签署" />}
          {plan.is_stale && <Alert type="warning" showIcon title="组织或人员在模拟后已变更，请重新模拟" />}
          {!may_run && <Alert type="info" showIcon title="您没有执行权限，请联系校管理员" />}
          <Button type="primary" danger disabled={plan.state !== 'signed' || plan.is_stale || !may_run} onClick={() => setAsking('run')}>执行升级</Button>
        </>
      )}
      {has_run && <Receipt plan={plan} />}
      {can_roll_back && (
        <div className="up-bar">
          <p>还可回滚 {days_left} 天</p>
          <Button danger disabled={!may_roll_back} onClick={() => setAsking('rollback')}>回滚</Button>
        </div>
      )}
      {asking === 'run' && <PasswordDialog title="执行学年升级" ok="执行" danger about={`${plan.school_year}学年升级，${plan.effective_on}生效。毕业 ${plan.totals?.graduated ?? 0} 人。`} act={password => upgrade.run(plan, password)} done="已开始执行" onClose={() => setAsking(null)} />}
      {asking === 'rollback' && <RollbackDialog rollback={asked => upgrade.rollback(plan, asked)} onClose={() => setAsking(null)} />}
    </section>
  )
}

function Receipt({ plan }: { plan: UpgradePlan }): ReactNode {
  const closed = plan.effects.filter(effect => effect.state !== 'planned' && effect.state !== 'running' && effect.state !== 'waiting').length
  const waiting = plan.effects.filter(effect => effect.state === 'waiting').length
  const words = plan.state === 'rolled_back' ? '已回滚' : plan.state === 'done' ? `升级已完成${waiting > 0 ? `，${waiting} 项等待设备确认` : ''}` : plan.effective_on > schoolToday() ? `已安排，${plan.effective_on} 生效` : '正在执行…'
  return (
    <>
      <h2 className="up-title" role="status">{words}</h2>
      <Progress percent={plan.effects.length === 0 ? 100 : Math.round((closed / plan.effects.length) * 100)} status={plan.state === 'running' ? 'active' : 'normal'} aria-label="执行进度" />
      <table className="up-table">
        <thead>
          <tr><th>事项</th><th>状态</th><th>说明</th></tr>
        </thead>
        <tbody>
          {plan.effects.map(effect => (
            <tr key={effect.effect_code}>
              <td>{effect.title}</td><td><Tag color={effect_colors[effect.state] ?? 'default'}>{effect_names[effect.state]}</Tag></td><td>{effect.detail ?? '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
