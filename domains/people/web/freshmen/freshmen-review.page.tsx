import type { FreshmenSeason } from '@campus/people/contract'
import { usePageKeys } from '@kit/web'
import { Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ReviewFile } from './review-file.tsx'
import { ReviewList } from './review-list.tsx'
import { SeasonFrame } from './season-frame.tsx'
import { useReview } from './use-review.ts'

const RefuseDialog = lazy(() => import('./refuse-dialog.tsx').then(part => ({ default: part.RefuseDialog })))

/** 新生审核: the applications on the left, the one that is looked at on the right; A 通过, R 驳回, J and K walk. */
export default function FreshmenReview(): ReactNode {
  return (
    <SeasonFrame head={figuresOf}>
      {season => <Desk key={season.id} season={season} />}
    </SeasonFrame>
  )
}

function figuresOf({ counts }: FreshmenSeason): ReactNode {
  return <p>待审核 {counts['1']} · 审核通过 {counts['2']} · 审核驳回 {counts['3']}<small>快捷键：A 通过，R 驳回，J / K 下一个 / 上一个</small></p>
}

function Desk({ season }: { season: FreshmenSeason }): ReactNode {
  const review = useReview(season.id)
  const { chosen, marked } = review
  const [refusing, refuse] = useState<readonly string[] | null>(null)
  const may_pass = chosen?.state === '1'
  usePageKeys({
    a: may_pass ? () => void review.pass([chosen.id]) : undefined,
    r: may_pass ? () => refuse([chosen.id]) : undefined,
    j: () => review.walk(1),
    k: () => review.walk(-1),
  })
  return (
    <div className="fresh-review">
      <ReviewList review={review} refuse={() => refuse(marked)} />
      <section className="fresh-file" aria-label="报名资料">
        {chosen ? <ReviewFile key={chosen.id} id={chosen.id} review={review} refuse={() => refuse([chosen.id])} /> : <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="在左侧选择一条报名，查看资料" />}
      </section>
      <Suspense>{refusing && <RefuseDialog ids={refusing} review={review} onClose={() => refuse(null)} />}</Suspense>
    </div>
  )
}
