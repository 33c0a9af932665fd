import { absent_modes, examApi, rank_modes, score_modes } from '@campus/exams/contract'
import type { ExamPlan, ExamRow, Step } from '@campus/exams/contract'
import { dictionaryName, PageFrame, useCan } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { ArrowLeftOutlined, CheckCircleFilled, ClockCircleOutlined } from '@ant-design/icons'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Descriptions } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { StateTag } from '../use-exams.tsx'
import { PaperPanel } from './paper-panel.tsx'
import { SessionPanel } from './session-panel.tsx'

const ExamDialog = lazyDialog(() => import('./exam-dialog.tsx').then(part => part.ExamDialog))
const titles: Readonly<Record<Step['key'], string>> = { setting: '设置', paper: '科目', session: '场次', candidate: '考生', room: '考场', seat: '座位', duty: '监考', publish: '发布' }
const published = 2
const later = ['candidate', 'room', 'seat', 'duty', 'publish']

/** One exam as a checklist: what is done, what is missing, and the panel of the chosen step (chapter 55 §5). */
export function Workspace({ exam_id, leave }: { exam_id: string; leave: () => void }): ReactNode {
  const query = useCall(examApi.read, { exam_id }, { keep: true })
  const again = () => void query.refetch()
  return (
    <div className="exam-page" data-ready={query.error ? 'failed' : query.data ? 'exam' : undefined}>
      <PageFrame actions={<Button icon={<ArrowLeftOutlined aria-hidden />} onClick={leave}>返回列表</Button>} />
      <Loaded query={query} rows={10}>{plan => <Plan plan={plan} again={again} />}</Loaded>
    </div>
  )
}

function Plan({ plan, again }: { plan: ExamPlan; again: () => void }): ReactNode {
  const [chosen, choose] = useState<Step['key']>('setting')
  const read_only = plan.exam.state >= published
  return (
    <>
      <div className="exam-head"><h2>{plan.exam.exam_name}</h2><StateTag state={plan.exam.state} />{plan.notes.map(note => <Alert key={note} type="warning" showIcon title={note} />)}</div>
      <div className="exam-work">
        <ol className="exam-steps" aria-label="步骤">
          {plan.steps.map(step => (
            <li key={step.key}>
              <button type="button" aria-pressed={chosen === step.key} onClick={() => choose(step.key)}>
                {step.done ? <CheckCircleFilled aria-label="已完成" data-done="true" /> : <ClockCircleOutlined aria-label="未完成" data-done="false" />}
                <b>{titles[step.key]}</b><small>{step.text}</small>
              </button>
            </li>
          ))}
        </ol>
        <section className="exam-panel" aria-label={titles[chosen]}>
          {chosen === 'setting' && <Setting exam={plan.exam} again={again} />}
          {chosen === 'paper' && <PaperPanel key={plan.exam.row_version} plan={plan} readOnly={read_only} written={again} />}
          {chosen === 'session' && <SessionPanel plan={plan} readOnly={read_only} written={again} />}
          {later.includes(chosen) && <p>考生、考场、座位和监考在 <Link className="kit-link" to="/ExamPlan" search={{ exam: plan.exam.exam_id }}>考场安排</Link> 中编排和发布。</p>}
        </section>
      </div>
    </>
  )
}

function Setting({ exam, again }: { exam: ExamRow; again: () => void }): ReactNode {
  const { open, close, dialog } = useDialog()
  const may_edit = useCan(examApi.update) && exam.state < 6
  const edit = () => open(<ExamDialog exam={exam} onClose={close} onDone={again} />)
  const facts = [
    { key: '考试类型', label: '考试类型', children: dictionaryName('EXAM_KIND', exam.exam_kind) },
    { key: '年级', label: '年级', children: gradeNames(exam) },
    { key: '日期', label: '日期', children: `${exam.begin_date} 至 ${exam.end_date}` },
    { key: '家长看到', label: '家长看到', children: score_modes[exam.score_mode] },
    { key: '公布排名', label: '公布排名', children: rank_modes[exam.show_rank] },
    { key: '缺考', label: '缺考', children: absent_modes[exam.absent_as] },
    { key: '小数位数', label: '小数位数', children: exam.decimals === 0 ? '整数' : '一位小数' },
  ]
  return (
    <>
      {may_edit && <div><Button onClick={edit}>修改设置</Button></div>}
      <Descriptions size="small" column={1} items={facts} />
      {dialog}
    </>
  )
}

function gradeNames({ grades }: ExamRow): string {
  return grades.map(code => dictionaryName('GRADE', code)).join('、')
}
