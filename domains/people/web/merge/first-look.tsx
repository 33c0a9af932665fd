import { case_score, mergeApi, merge_signals, signal_scores } from '@campus/people/contract'
import type { MergeCaseRow } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { pairOf, signal_words } from './merge-words.ts'
import { MergeTable } from './merge-log.tsx'
import type { PairOf } from './use-merge.ts'

const likeliest = { state: 'open', page_index: 1, page_size: 20 } as const
const latest = { page_index: 1, page_size: 20 } as const
const shown_merges = 5

/** What stands beside the pairs until one is chosen: where to begin, why a pair is proposed, and what was merged of late with its way back. */
export function FirstLook({ open, showLog }: { open: (pair: PairOf) => void; showLog: () => void }): ReactNode {
  const cases = useQuery({ queryKey: [mergeApi.cases.call, likeliest], queryFn: ({ signal }) => call(mergeApi.cases, likeliest, { signal, quiet: true }) })
  const log = useQuery({ queryKey: [mergeApi.log.call, latest], queryFn: ({ signal }) => call(mergeApi.log, latest, { signal, quiet: true }) })
  const [first] = cases.data?.list ?? []
  const merged = (log.data?.list ?? []).slice(0, shown_merges)
  return (
    <section className="merge-first" aria-label="开始核对">
      {first && (
        <div className="merge-begin">
          <p><b>{cases.data?.total} 对</b>档案可能是同一个人，按相似程度排列。选择左侧的一对，逐项核对两份档案；或点“指定两人”直接选择。</p>
          <Button type="primary" onClick={() => open(pairOf(first))}>核对最相似的一对</Button>
        </div>
      )}
      {cases.data && !first && <p>没有需要核对的档案。发现同一个人有两份档案时，点“指定两人”直接选择。</p>}
      <h2>为什么会提示</h2>
      <Reasons rows={cases.data && cases.data.total <= likeliest.page_size ? cases.data.list : null} />
      {merged.length > 0 && (
        <>
          <div className="merge-recent"><h2>最近合并</h2><Button type="link" size="small" onClick={showLog}>全部合并记录</Button></div>
          <MergeTable rows={merged} />
        </>
      )}
    </section>
  )
}

/** What each sign counts, and how many pairs have it where all are known. */
function Reasons({ rows }: { rows: readonly MergeCaseRow[] | null }): ReactNode {
  return (
    <>
      <ul className="merge-reasons">
        {merge_signals.map(signal => {
          const pairs = rows?.filter(row => row.signals.includes(signal)).length ?? 0
          return <li key={signal}><b>{signal_scores[signal]}</b> {signal_words[signal]}{pairs > 0 && <small>{pairs} 对</small>}</li>
        })}
      </ul>
      <p className="merge-hint">左侧的数字是各项之和，满 {case_score} 分才提示；每晚和每次导入后自动查找。点“不是同一人”后，没有新的线索不再提示。</p>
    </>
  )
}
