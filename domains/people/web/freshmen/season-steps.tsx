import { freshmenSeasonApi, season_states } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import { call, confirmDanger, instantText, toast, useSaving } from '@kit/web'
import { Alert, Button, Input, Steps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { addressOf } from '../register/use-register.ts'
import { seasonTitle, season_words } from './freshmen-words.ts'
import { useFreshmenChanged } from './use-seasons.ts'

const Poster = lazy(() => import('../register/poster-drawer.tsx').then(part => ({ default: part.PosterDrawer })))

type Turn = 'open' | 'closed' | 'finished'
/** What can be done next by hand. */
const turns: Readonly<Record<FreshmenSeason['state'], { to: Turn; label: string; ask: string } | null>> = {
  draft: { to: 'open', label: '开放报名', ask: '开放后家长可以通过链接报名，分班抽签种子的摘要同时公布，确定开放吗？' },
  open: { to: 'closed', label: '结束报名', ask: '结束后不再接收新的报名，可以重新开放。确定结束吗？' },
  closed: { to: 'open', label: '重新开放', ask: '重新开放后家长可以继续报名，确定吗？' },
  placed: { to: 'finished', label: '结束本次招生', ask: '结束后不能再修改设置，未报到新生上传的材料将被清除。确定吗？' },
  finished: null,
}

/** Where a season stands, what follows, and where families apply. */
export function SeasonSteps({ season }: { season: FreshmenSeason }): ReactNode {
  const { busy, refused, run } = useSaving()
  const changed = useFreshmenChanged()
  const [poster, showPoster] = useState(false)
  const next = turns[season.state]
  const address = addressOf(season.register_key, 1)
  const turn = async () => {
    if (!next || !(await confirmDanger({ title: next.ask, ok: next.label }))) return
    if (await run(() => call(freshmenSeasonApi.turn, { id: season.id, row_version: season.row_version, state: next.to }, { quiet: true }), '设置成功')) await changed()
  }
  return (
    <section className="fresh-card" aria-label="报名进度">
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <div className="fresh-steps">
        <Steps size="small" current={season_states.indexOf(season.state)} items={season_states.map(state => ({ title: season_words[state] }))} />
        {next && <Button type={season.state === 'draft' ? 'primary' : 'default'} loading={busy} onClick={() => void turn()}>{next.label}</Button>}
      </div>
      {season.state !== 'draft' && (
        <div className="register-link fresh-link">
          <Input aria-label="报名链接" readOnly value={address} onFocus={event => event.target.select()} />
          <Button onClick={() => void copy(address)}>复制链接</Button>
          <Button onClick={() => showPoster(true)}>二维码海报</Button>
        </div>
      )}
      {season.lottery_seed_hash !== null && (
        <dl className="fresh-seed">
          <dt>抽签种子摘要</dt><dd>{season.lottery_seed_hash}</dd>
          <dt>抽签种子</dt><dd>{season.lottery_seed ?? '采用分班结果后公布'}</dd>
        </dl>
      )}
      <Suspense>{poster && <Poster title={`${seasonTitle(season)} 新生报名`} until={`${instantText(season.open_at)} 至 ${instantText(season.close_at)}`} address={address} onClose={() => showPoster(false)} />}</Suspense>
    </section>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success('已复制')
  } catch {
    toast.warning('浏览器不允许复制，请选中链接后手动复制')
  }
}
