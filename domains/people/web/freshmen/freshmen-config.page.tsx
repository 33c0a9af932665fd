import { PlusOutlined } from '@ant-design/icons'
import { freshmenPlaceApi } from '@campus/people/contract'
import { Loading, PageTabs, useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Button, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { seasonTitle } from './freshmen-words.ts'
import { SeasonForm } from './season-form.tsx'
import { SeasonSteps } from './season-steps.tsx'
import { useSeasons } from './use-seasons.ts'
import './freshmen.css'

const PlaceTab = lazy(() => import('./place-tab.tsx').then(part => ({ default: part.PlaceTab })))
const tabs = [{ key: 'set', label: '报名设置' }, { key: 'place', label: '分班' }] as const

/** 新生报名设置: where the season stands and its public address, what it asks and takes; and the placement into classes. */
export default function FreshmenConfig(): ReactNode {
  const { search, setSearch } = usePage()
  const { query, season, choose } = useSeasons()
  const [is_new, makeNew] = useState(false)
  const may_place = useCan(freshmenPlaceApi.run)
  if (!query.data) {
    return <div className="fresh-page" data-ready={query.error ? 'failed' : undefined}><PartState query={query} rows={8} /></div>
  }
  const shown = is_new ? null : season
  const is_place = shown !== null && may_place && search.tab === 'place'
  const saved = (id: string) => {
    makeNew(false)
    choose(id)
  }
  return (
    <div className="fresh-page" data-ready={shown ? 'season' : 'new'}>
      <header className="fresh-head">
        {query.data.length > 0 && <Select aria-label="报名" className="fresh-season" value={shown?.id ?? null} placeholder="新的报名" options={query.data.map(one => ({ value: one.id, label: seasonTitle(one) }))} onChange={saved} />}
        <p>{shown ? `共 ${Object.values(shown.counts).reduce((sum, count) => sum + count, 0)} 条报名，已录取 ${shown.counts['4'] + shown.counts['6']} / 名额 ${shown.quota}` : '填写学年、学段、时间和名额，保存后再开放'}</p>
        <Button icon={<PlusOutlined aria-hidden />} disabled={shown === null} onClick={() => makeNew(true)}>新增报名</Button>
      </header>
      {shown && may_place && <PageTabs tabs={tabs} value={is_place ? 'place' : 'set'} onChange={tab => setSearch({ ...search, tab })} />}
      {shown && is_place && <Suspense fallback={<Loading rows={8} />}><PlaceTab key={shown.id} season={shown} /></Suspense>}
      {shown && !is_place && <SeasonSteps key={`steps ${shown.id} ${shown.row_version}`} season={shown} />}
      {!is_place && <SeasonForm key={shown ? `form ${shown.id} ${shown.row_version}` : 'new'} season={shown} onSaved={saved} onLeave={is_new ? () => makeNew(false) : null} />}
    </div>
  )
}
