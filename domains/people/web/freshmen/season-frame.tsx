import { freshmenSeasonApi } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import { useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import { Empty, Select, Tag } from 'antd'
import type { ReactNode } from 'react'
import { seasonTitle, season_words } from './freshmen-words.ts'
import { useSeasons } from './use-seasons.ts'
import './freshmen.css'

type Props = { /** what the head says beside the season */ head?: (season: FreshmenSeason) => ReactNode; children: (season: FreshmenSeason) => ReactNode }

/** A page of one season: its choice stands above; while nothing is there it says how to begin. */
export function SeasonFrame({ head, children }: Props): ReactNode {
  const { query, season, choose } = useSeasons()
  const may_set = useCan(freshmenSeasonApi.save)
  if (!query.data) {
    return <div className="fresh-page" data-ready={query.error ? 'failed' : undefined}><PartState query={query} rows={8} /></div>
  }
  if (!season) {
    return (
      <div className="fresh-page" data-ready="empty">
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有新生报名，先设置一次报名">{may_set && <Link to="/FreshmenConfig">去设置</Link>}</Empty>
      </div>
    )
  }
  return (
    <div className="fresh-page" data-ready="season">
      <header className="fresh-head">
        <Select aria-label="报名" className="fresh-season" value={season.id} options={query.data.map(one => ({ value: one.id, label: seasonTitle(one) }))} onChange={choose} />
        <Tag color={season.is_open ? 'green' : 'default'}>{season_words[season.state]}</Tag>
        {head?.(season)}
      </header>
      {children(season)}
    </div>
  )
}
