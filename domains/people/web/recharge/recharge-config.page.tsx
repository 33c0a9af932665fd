import { rechargeApi } from '@campus/people/contract'
import type { RechargeCard } from '@campus/people/contract'
import { call } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { PartState, useCall } from '@kit/web/part'
import type { ReactNode } from 'react'
import { ConfigCard } from './config-card.tsx'
import './recharge.css'

const ConfigDialog = lazyDialog(() => import('./config-dialog.tsx').then(part => part.ConfigDialog))

/** 充值配置: a card for each person kind, what holds beside what waits for another person. */
export default function RechargeConfig(): ReactNode {
  const query = useCall(rechargeApi.config, {})
  const { open, close, dialog } = useDialog()
  const { busy, act } = useAct([rechargeApi.config])
  const edit = (card: RechargeCard) => open(<ConfigDialog card={card} onClose={close} onDone={() => void query.refetch()} />)
  const decide = ({ person_kind }: RechargeCard, version_no: number, pass: boolean) => act(() => call(rechargeApi.approve, { version_no, person_kind, pass }, { quiet: true }), {
    ask: !pass && { title: `驳回第 ${version_no} 版后，生效中的配置不变，确定驳回吗？`, ok: '驳回' },
    done: pass ? '已复核，新的充值订单按此执行' : '已驳回',
  })
  if (!query.data) {
    return <div className="recharge-page" data-ready={query.error ? 'failed' : undefined}><PartState query={query} /></div>
  }
  return (
    <div className="recharge-page" data-ready="cards">
      <p className="recharge-head">按人员类别设置充值渠道、金额和限额。修改后为新版本，由另一位管理员复核后生效，只影响此后的充值订单。</p>
      {query.data.list.map(card => <ConfigCard key={card.person_kind} card={card} busy={busy} edit={() => edit(card)} decide={(version_no, pass) => void decide(card, version_no, pass)} />)}
      {dialog}
    </div>
  )
}
