import { UserSwitchOutlined } from '@ant-design/icons'
import { PageTabs, usePage } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { CaseList } from './case-list.tsx'
import { ComparePane } from './compare-pane.tsx'
import { FirstLook } from './first-look.tsx'
import { MergeLog } from './merge-log.tsx'
import './merge.css'

const PairDialog = lazy(() => import('./pair-dialog.tsx').then(part => ({ default: part.PairDialog })))

const tabs = [{ key: 'open', label: '待处理' }, { key: 'dismissed', label: '不是同一人' }, { key: 'log', label: '合并记录' }] as const
type Tab = (typeof tabs)[number]['key']

/** 查重合并: pairs who may be one human being beside both files; merges that were done, and the way back. */
export default function PersonMerge(): ReactNode {
  const { search, setSearch } = usePage()
  const { keep, drop, someone } = search
  const tab = tabs.find(({ key }) => key === search.tab)?.key ?? 'open'
  const [choosing, setChoosing] = useState(someone !== undefined)
  const show = (next: Tab) => setSearch(next === 'open' ? {} : { tab: next })
  const open = (pair: { keep: string; drop: string }) => setSearch({ ...(tab === 'open' ? {} : { tab }), ...pair })
  const close = () => setSearch(tab === 'open' ? {} : { tab })
  return (
    <div className="merge-page">
      <div className="merge-head">
        <PageTabs tabs={tabs} value={tab} onChange={show} />
        <p>同一个人有两份档案时，在这里核对后合并为一份，30天内可以撤销。</p>
        <Button icon={<UserSwitchOutlined aria-hidden />} onClick={() => setChoosing(true)}>指定两人</Button>
      </div>
      {tab === 'log' ? (
        <MergeLog />
      ) : (
        <div className="merge-panes">
          <CaseList key={tab} state={tab} chosen={keep !== undefined && drop !== undefined ? [keep, drop] : []} open={open} closed={close} />
          {keep !== undefined && drop !== undefined ? (
            <ComparePane key={`${keep} ${drop}`} pair={{ keep, drop }} swap={() => open({ keep: drop, drop: keep })} done={() => show('log')} />
          ) : (
            <FirstLook open={open} showLog={() => show('log')} />
          )}
        </div>
      )}
      <Suspense>{choosing && <PairDialog someone={someone} onClose={() => setChoosing(false)} open={pair => { setChoosing(false); open(pair) }} />}</Suspense>
    </div>
  )
}
