import { rechargeApi } from '@campus/people/contract'
import type { RechargeCard } from '@campus/people/contract'
import { call, confirmDanger, Loading, sentenceOf, toast, usePage } from '@kit/web'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { ConfigCard } from './config-card.tsx'
import './recharge.css'

const ConfigDialog = lazy(() => import('./config-dialog.tsx').then(part => ({ default: part.ConfigDialog })))

/** 充值配置: a card for each person kind, what holds beside what waits for another person. */
export default function RechargeConfig(): ReactNode {
  const { active } = usePage()
  const client = useQueryClient()
  const query = useQuery({ queryKey: [rechargeApi.config.call], queryFn: async ({ signal }) => (await call(rechargeApi.config, {}, { signal, quiet: true })).list, enabled: active })
  const [edited, edit] = useState<RechargeCard>()
  const [busy, setBusy] = useState(false)
  const again = () => void client.invalidateQueries({ queryKey: [rechargeApi.config.call] })
  const decide = async ({ person_kind }: RechargeCard, version_no: number, pass: boolean) => {
    if (!pass && !(await confirmDanger({ title: `驳回第 ${version_no} 版后，生效中的配置不变，确定驳回吗？`, ok: '驳回' }))) return
    setBusy(true)
    try {
      await call(rechargeApi.approve, { version_no, person_kind, pass }, { quiet: true })
      toast.success(pass ? '已复核，新的充值订单按此执行' : '已驳回')
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    }
    setBusy(false)
    again()
  }
  if (!query.data) {
    return <div className="recharge-page" data-ready={query.error ? 'failed' : undefined}>{query.error ? <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} /> : <Loading rows={6} />}</div>
  }
  return (
    <div className="recharge-page" data-ready="cards">
      <p className="recharge-head">按人员类别设置充值渠道、金额和限额。修改后为新版本，由另一位管理员复核后生效，只影响此后的充值订单。</p>
      {query.data.map(card => <ConfigCard key={card.person_kind} card={card} busy={busy} edit={() => edit(card)} decide={(version_no, pass) => void decide(card, version_no, pass)} />)}
      <Suspense>{edited && <ConfigDialog card={edited} onClose={() => edit(undefined)} onDone={again} />}</Suspense>
    </div>
  )
}
