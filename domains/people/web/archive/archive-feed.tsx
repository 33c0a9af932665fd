import { Filters, Loading, schoolToday, sentenceOf } from '@kit/web'
import { Button, Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { FeedLine } from './feed-line.tsx'
import { feedDays } from './feed-days.ts'
import { feed_fields } from './feed.fields.ts'
import { useFeed } from './use-feed.ts'
import type { FeedCall } from './use-feed.ts'
import './archive.css'

const AsOfDrawer = lazy(() => import('./as-of-drawer.tsx').then(part => ({ default: part.AsOfDrawer })))

type Seen = { user_id: string; user_name: string; on: string }

/** What changed in the archives, day by day, newest first; a line opens the file as it was that day. */
export function ArchiveFeed({ endpoint, need }: { endpoint: FeedCall; /** opens the page of a person */ need: string }): ReactNode {
  const feed = useFeed(endpoint, feed_fields)
  const [seen, see] = useState<Seen | null>(null)
  const days = feedDays(feed.rows, schoolToday())
  return (
    <div className="feed-page" data-ready={feed.first ? (feed.error ? 'failed' : undefined) : 'list'}>
      <Filters of={feed} show={['person', 'field', 'source', 'actor', 'days', 'batch_no']} />
      <div className="feed-card">
        {feed.first && (feed.error ? <LoadFailed text={sentenceOf(feed.error)} again={() => void feed.refresh()} /> : <Loading rows={8} />)}
        {!feed.first && days.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={Object.keys(feed.values).length > 0 ? '没有符合条件的变更，请调整条件' : '还没有档案变更，录入、导入、调班等操作会记录在这里'} />}
        {days.map(({ day, title: name, rows }) => (
          <section key={day} aria-label={name}>
            <h2 className="feed-day">{name}<small>{rows.length} 条</small></h2>
            <ul className="feed-lines">{rows.map(row => <FeedLine key={row.log_id} row={row} need={need} see={() => see({ user_id: row.user_id, user_name: row.user_name, on: day })} />)}</ul>
          </section>
        ))}
        {feed.more && <Button block loading={feed.loading_more} onClick={feed.more}>加载更早的变更</Button>}
        {!feed.more && days.length > 0 && <p className="feed-end">没有更早的变更了</p>}
      </div>
      <Suspense>{seen && <AsOfDrawer key={`${seen.user_id} ${seen.on}`} {...seen} onClose={() => see(null)} />}</Suspense>
    </div>
  )
}
