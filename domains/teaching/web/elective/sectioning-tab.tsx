import { sectioningApi } from '@campus/teaching/contract'
import type { SectionPlan, SectionRun } from '@campus/teaching/contract'
import { grade_codes } from '@campus/calendar/contract'
import { AppModal, call, Can, dictionaryName, PageFrame, schoolToday, useDictionary } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { dayjs } from '@kit/web/day'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Card, DatePicker, Descriptions, Empty, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTerms } from '../use-terms.tsx'
import { useEvery } from '../use-every.ts'

const StartDialog = lazyDialog(() => import('./sectioning-dialog.tsx').then(part => part.StartDialog))
type Grade = (typeof grade_codes)[number]
const states: Readonly<Record<SectionRun['state'], [string, string]>> = { running: ['正在分班', 'blue'], ready: ['方案待采用', 'orange'],
  failed: ['未完成', 'red'], applied: ['已采用', 'green'], undone: ['已撤回', 'default'] }

/** 分班: plans of a grade side by side; one is accepted and becomes walking classes (chapter 50 §3.7). */
export function Sectioning({ head }: { head: ReactNode }): ReactNode {
  const { semester_id, select, ready } = useTerms()
  const grades = useDictionary('GRADE')
  const [grade, choose] = useState<Grade>('32')
  const query = useCall(sectioningApi.latest, { semester_id: semester_id ?? 10_000, grade }, { enabled: semester_id !== undefined,
    keep: true })
  const { open, close, dialog } = useDialog()
  const written = () => void query.refetch()
  const run = query.data?.run ?? null
  useEvery(run?.state === 'running', written)
  const { busy, act } = useAct([], written)
  const start = () => open(<StartDialog semester_id={semester_id ?? 0} grade={grade} may_keep={run?.state === 'applied'}
    teachers={query.data?.teachers ?? []} onClose={close} onDone={written} />)
  const apply = (plan_no: number) => run && open(<ApplyDialog run={run} plan_no={plan_no} onClose={close} onDone={written} />)
  const undo = () => run && act(() => call(sectioningApi.undo, { id: run.id }, { quiet: true }),
    { ask: { title: '撤回分班？', touches: '教学班和名单一并撤回；已排课的不能撤回。', ok: '撤回' }, done: '已撤回' })
  return (
    <div className="teaching-page" data-ready={query.error ? 'failed' : query.data || (ready && semester_id === undefined)
      ? 'sectioning' : undefined}>
      <PageFrame actions={<Can code={sectioningApi.start}><Button type="primary" disabled={semester_id === undefined
        || run?.state === 'running'} onClick={start}>分班</Button></Can>} />
      {head}
      <div className="teaching-head">
        {select}
        <Select className="teaching-grade" aria-label="年级" value={grade} onChange={choose} options={grade_codes
          .map(value => ({ value, label: grades.find(one => one.value === value)?.label ?? value }))} />
        {run && <Tag color={states[run.state][1]}>{states[run.state][0]}</Tag>}
        {run?.state === 'applied' && <Can code={sectioningApi.undo}><Button danger loading={busy}
          onClick={() => void undo()}>撤回</Button></Can>}
      </div>
      {ready && semester_id === undefined ? <Empty description="还没有学期：请先在学期管理中新增学期" /> : (
        <Loaded query={query} rows={8} empty="该年级还没有分班：公布选科后点“分班”" isEmpty={data => data.run === null}>{data => data.run && <Plans
          run={data.run} apply={apply} />}</Loaded>
      )}
      {dialog}
    </div>
  )
}

function Plans({ run, apply }: { run: SectionRun; apply: (plan_no: number) => void }): ReactNode {
  const [shown, show] = useState<number>()
  const plan = run.plans[shown ?? run.applied_no ?? 0]
  if (run.state === 'running') return <Alert type="info" showIcon title="正在计算方案，完成后自动显示；进度见右上角任务" />
  if (run.state === 'failed') return <Alert type="warning" showIcon title="分班没有完成，请调整条件后再次分班" />
  return (
    <>
      <div className="section-plans">
        {run.plans.map((one, at) => <PlanCard key={`${at + 1}`} plan={one} no={at} run={run} chosen={one === plan} choose={() => show(at)}
          apply={() => apply(at)} />)}
      </div>
      {plan && <PlanTable plan={plan} />}
    </>
  )
}

function PlanCard({ plan, no, run, chosen, choose, apply }: { plan: SectionPlan; no: number; run: SectionRun; chosen: boolean; choose: () =>
  void; apply: () => void }): ReactNode {
  const items = [
    { key: 'classes', label: '教学班', children: `${plan.classes.length}个` }, { key: 'rooms', label: '各段教室', children: plan.rooms.join('、') },
    { key: 'size', label: '人数', children: `${plan.smallest}–${plan.largest}，平均${plan.mean}` }, { key: 'served', label: '已分',
      children: `${plan.served}人` },
    { key: 'unserved', label: '未分', children: <span data-open={plan.unserved.length > 0 || undefined}>{plan.unserved.length}人</span> },
    { key: 'moved', label: '调动', children: `${plan.moved}人` },
  ]
  return (
    <Card size="small" title={`方案${no + 1}${run.applied_no === no ? '（已采用）' : ''}`} data-chosen={chosen || undefined}
      extra={<Button type="link" size="small" aria-label={`查看方案${no + 1}`} onClick={choose}>查看</Button>}>
      <Descriptions size="small" column={2} items={items} />
      {plan.under > 0 && <Alert type="warning" showIcon title={`${plan.under}个班少于${run.min}人`} />}
      {run.state === 'ready' && <Can code={sectioningApi.apply}><Button type="primary" aria-label={`采用方案${no + 1}`}
        onClick={apply}>采用</Button></Can>}
    </Card>
  )
}

type Class = SectionPlan['classes'][number]
const columns = [
  { key: 'name', title: '教学班', width: 184, dataIndex: 'name' }, { key: 'subject', title: '科目', width: 104, render: (_: unknown,
    row: Class) => dictionaryName('SUBJECT', row.subject) },
  { key: 'block', title: '时段', width: 80, render: (_: unknown, row: Class) => `第${row.block}段` }, { key: 'size', title: '人数', width: 72,
    dataIndex: 'size', align: 'right' as const },
  { key: 'boys', title: '男生', width: 72, dataIndex: 'boys', align: 'right' as const }, { key: 'homes', title: '来自', render: (_: unknown,
    row: Class) => row.homes.join('、') },
]

function PlanTable({ plan }: { plan: SectionPlan }): ReactNode {
  return (
    <>
      {plan.unserved.length > 0 && <Alert type="warning" showIcon title={`未分 ${plan.unserved.length}人`}
        description={plan.unserved.slice(0, 30).map(one => `${one.user_name}：${one.reason}`).join('；')} />}
      <Table<Class> size="small" rowKey="name" columns={columns} dataSource={plan.classes} pagination={false}
        scroll={{ y: 'calc(100vh - 480px)' }} />
    </>
  )
}

function ApplyDialog({ run, plan_no, onClose, onDone }: { run: SectionRun; plan_no: number; onClose: () => void; onDone: () =>
  void }): ReactNode {
  const [from, setFrom] = useState(schoolToday())
  const { busy, act } = useAct()
  const apply = async () => {
    const done = await act(() => call(sectioningApi.apply, { id: run.id, plan_no, from }, { quiet: true }),
      { done: ({ classes, students }) => `已生成${classes}个教学班，${students}名学生` })
    if (!done) return
    onDone()
    onClose()
  }
  const plan = run.plans[plan_no]
  return (
    <AppModal open width={480} title={`采用方案${plan_no + 1}`} okText="采用" confirmLoading={busy} onOk={() => void apply()} onCancel={onClose}>
      <p>将生成{plan?.classes.filter(one => one.is_new).length ?? 0}个教学班及名单，共{plan?.served ?? 0}名学生；7天内未排课可撤回。教师随后在教师任课中安排。</p>
      <p>名单生效日期 <DatePicker allowClear={false} aria-label="名单生效日期" value={dayjs(from)}
        onChange={next => setFrom(next?.format('YYYY-MM-DD') ?? schoolToday())} /></p>
    </AppModal>
  )
}

