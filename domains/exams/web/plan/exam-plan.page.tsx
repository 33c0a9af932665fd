import { examApi, planApi, presenceApi } from '@campus/exams/contract'
import type { ExamPlan as Plan } from '@campus/exams/contract'
import { call, Can, PageFrame, useCan } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Segmented } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useExam } from '../use-exams.tsx'
import { CandidateTab } from './candidate-tab.tsx'
import { ControlTab } from './control-tab.tsx'
import { DutyTab } from './duty-tab.tsx'
import { PresenceTab } from './presence-tab.tsx'
import { PrintTab } from './print-tab.tsx'
import { RoomTab } from './room-tab.tsx'
import { SeatTab } from './seat-tab.tsx'
import '../exams.css'

const RecallDialog = lazyDialog(() => import('./recall-dialog.tsx').then(part => part.RecallDialog))
const tab_names = ['考生', '考场', '座位', '监考', '管制', '现场', '打印'] as const
const [candidate_tab, room_tab, seat_tab, duty_tab, control_tab, presence_tab, print_tab] = tab_names
const published = 2

/** 考场安排: candidates, rooms, seats and invigilators of one exam, and their publication (chapter 55 §5). */
export default function ExamPlanPage(): ReactNode {
  const { exam, select, pending, failed, none } = useExam(one => one.state <= published)
  const exam_id = exam?.exam_id ?? '0'
  const query = useCall(examApi.read, { exam_id }, { enabled: exam !== undefined, keep: true })
  return (
    <div className="exam-page" data-ready={failed || query.error ? 'failed' : query.data || none ? 'plan' : undefined}>
      <div className="exam-head kit-no-print">{select}{query.data && <Acts plan={query.data} written={() => void query.refetch()} />}</div>
      {pending}
      {none && <Empty description="还没有考试：请先在考试管理中新建考试，设置科目和场次" />}
      {exam && <Loaded query={query} rows={10}>{plan => <Tabs key={plan.exam.exam_id} plan={plan} written={() => void query.refetch()} />}</Loaded>}
    </div>
  )
}

function Tabs({ plan, written }: { plan: Plan; written: () => void }): ReactNode {
  const may_sign = useCan(presenceApi.sign)
  const [tab, show] = useState<string>(plan.exam.candidates === 0 ? candidate_tab : seat_tab)
  return (
    <>
      <div className="exam-head kit-no-print"><Segmented options={tab_names.filter(name => name !== presence_tab ||
        may_sign)} value={tab} onChange={show} /></div>
      {tab === candidate_tab && <CandidateTab plan={plan} written={written} />}
      {tab === room_tab && <RoomTab exam={plan.exam} written={written} />}
      {tab === seat_tab && <SeatTab plan={plan} written={written} />}
      {tab === duty_tab && <DutyTab plan={plan} />}
      {tab === control_tab && <ControlTab exam={plan.exam} />}
      {tab === presence_tab && <PresenceTab plan={plan} />}
      {tab === print_tab && <PrintTab plan={plan} />}
    </>
  )
}

function Acts({ plan: { exam, steps }, written }: { plan: Plan; written: () => void }): ReactNode {
  const { busy, act } = useAct([examApi.list], written)
  const { open, close, dialog } = useDialog()
  const missing = steps.filter(step => !step.done && step.key !== 'publish').map(step => step.text)
  const touches = missing.length === 0 ? '考生、监考教师会收到通知，考场信息牌和考勤随之更新。' : `还有未完成的步骤：${missing.join('；')}。`
  const publish = () => act(() => call(planApi.publish, { exam_id: exam.exam_id }, { quiet: true }), { ask: { title: `发布“${exam.exam_name}”的安排？`, touches, ok: '发布' }, done: ({ receipts }) => `发布成功：${receipts.join('，')}` })
  const recall = () => open(<RecallDialog exam={exam} onClose={close} onDone={written} />)
  return (
    <PageFrame
      actions={
        <>
          {exam.state === published && <Can code={planApi.recall}><Button danger onClick={recall}>撤回安排</Button></Can>}
          {exam.state < published && <Can code={planApi.publish}><Button type="primary" loading={busy} onClick={() => void publish()}>发布安排</Button></Can>}
          {dialog}
        </>
      }
    />
  )
}
