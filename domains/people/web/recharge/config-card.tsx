import { rechargeApi } from '@campus/people/contract'
import type { RechargeCard, RechargeVersion } from '@campus/people/contract'
import { Can, instantText } from '@kit/web'
import { Button, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { PhonePreview } from './phone-preview.tsx'
import { kind_names, ruleLines, yuanText } from './recharge-words.ts'

type Props = { card: RechargeCard; busy: boolean; edit: () => void; decide: (version_no: number, pass: boolean) => void }

/** What holds for a person kind, and beside it the version that waits for another person. */
export function ConfigCard({ card, busy, edit, decide }: Props): ReactNode {
  const { person_kind, active, pending } = card
  const name = kind_names[person_kind]
  return (
    <section className="recharge-card" aria-label={name}>
      <header>
        <h2>{name}</h2>
        <Can code={rechargeApi.save}><Button aria-label={`${active || pending ? '修改' : '设置'} ${name}`} onClick={edit}>{active || pending ? '修改' : '设置'}</Button></Can>
      </header>
      <div className="recharge-versions">
        {active ? <Version of={active} /> : <p className="recharge-none">还没有生效的配置{pending ? '，右侧版本复核后生效' : `，${name}暂时不能充值`}</p>}
        {pending && (
          <Version of={pending} against={active}>
            <Can code={rechargeApi.approve}>
              <Tooltip title={pending.is_own ? '需由另一位管理员复核' : ''}>
                <span className="recharge-acts">
                  <Button type="primary" size="small" disabled={pending.is_own} loading={busy} aria-label={`复核 ${name}`} onClick={() => decide(pending.version, true)}>复核</Button>
                  <Button size="small" danger disabled={pending.is_own || busy} aria-label={`驳回 ${name}`} onClick={() => decide(pending.version, false)}>驳回</Button>
                </span>
              </Tooltip>
            </Can>
          </Version>
        )}
      </div>
    </section>
  )
}

/** One version; what differs from the one that holds is marked by colour and a word. */
function Version({ of, against, children }: { of: RechargeVersion; against?: RechargeVersion | null; children?: ReactNode }): ReactNode {
  const is_pending = of.state === 'pending'
  const before = new Map(against ? ruleLines(against).map(line => [line.label, line.text]) : [])
  const quick = quickText(of)
  const lines = [...ruleLines(of), { label: '快捷金额', text: quick }]
  if (against) before.set('快捷金额', quickText(against))
  return (
    <div className={is_pending ? 'recharge-version recharge-pending' : 'recharge-version'}>
      <div className="recharge-facts">
        <p><Tag color={is_pending ? 'orange' : 'green'}>{is_pending ? '待复核' : '生效中'}</Tag>第 {of.version} 版</p>
        <dl>
          {lines.map(({ label, text }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{before.has(label) && before.get(label) !== text ? <mark>{text}（原 {before.get(label)}）</mark> : text}</dd>
            </div>
          ))}
        </dl>
        <p className="money-hint">{is_pending ? `${of.created_by_name} 提交于 ${instantText(of.created_at)}` : `${of.approved_by_name ?? ''} 复核于 ${instantText(of.approved_at ?? of.created_at)}，此后的充值订单按此执行`}</p>
        {children}
      </div>
      <PhonePreview rules={of} />
    </div>
  )
}

function quickText({ quick_fen }: RechargeVersion): string {
  return quick_fen.map(yuanText).join('、') || '—'
}
