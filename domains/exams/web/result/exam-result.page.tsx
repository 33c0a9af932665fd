import { scoreApi } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { useMay } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Empty, Segmented, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useExam } from '../use-exams.tsx'
import { AmendTab } from './amend-tab.tsx'
import { AnalysisTab } from './analysis-tab.tsx'
import { GridTab } from './grid-tab.tsx'
import { ProgressTab } from './progress-tab.tsx'
import { RankTab } from './rank-tab.tsx'
import { ReleaseTab } from './release-tab.tsx'
import { ReviewPanel } from './review-panel.tsx'
import '../exams.css'

const sitting = 3
const [grid_tab, progress_tab, rank_tab, release_tab, analysis_tab, amend_tab] = ['录分', '进度', '成绩', '审核发布', '分析', '更正与查分'] as const

/** 成绩管理: entering, review and publication, figures and amendments of one exam (chapter 55 §5). */
export default function ExamResult(): ReactNode {
  const { exam, select, pending, failed, none } = useExam(one => one.state >= sitting)
  const may = useMay()
  const [tab, show] = useState<string>(grid_tab)
  const tabs = [grid_tab, progress_tab, rank_tab, release_tab, ...(may('exams.analysis.view') ? [analysis_tab] : []), ...(may('exams.score.amend') ? [amend_tab] : [])]
  return (
    <div className="exam-page" data-ready={failed ? 'failed' : exam || none ? 'result' : undefined}>
      <div className="exam-head kit-no-print">{select}<Segmented options={tabs} value={tab} onChange={show} /></div>
      {pending}
      {none && <Empty description="还没有考试：请先在考试管理中新建考试" />}
      {exam && <Part key={exam.exam_id} exam={exam} tab={tab} />}
    </div>
  )
}

function Part({ exam, tab }: { exam: ExamRow; tab: string }): ReactNode {
  if (tab === progress_tab) return <ProgressTab exam={exam} />
  if (tab === release_tab) return <ReleaseTab exam={exam} />
  if (tab === analysis_tab) return <AnalysisTab exam={exam} />
  if (tab === amend_tab) return <><ReviewPanel exam={exam} /><AmendTab exam={exam} /></>
  return <OfClass exam={exam} tab={tab} />
}

/** What is shown of one class at a time. */
function OfClass({ exam, tab }: { exam: ExamRow; tab: string }): ReactNode {
  const query = useCall(scoreApi.classes, { exam_id: exam.exam_id })
  const [chosen, choose] = useState<string>()
  return (
    <Loaded query={query} rows={8} empty="没有您可以查看的班级">
      {({ list }) => {
        const dept_id = chosen ?? list[0]?.dept_id ?? '0'
        const picker = <Select className="exam-select" aria-label="班级" showSearch={{ optionFilterProp: 'label' }} value={dept_id} onChange={choose} options={list.map(one => ({ value: one.dept_id, label: one.dept_name }))} />
        return tab === rank_tab ? <RankTab exam={exam} dept_id={dept_id} picker={picker} /> : <GridTab key={dept_id} exam={exam} dept_id={dept_id} picker={picker} />
      }}
    </Loaded>
  )
}
