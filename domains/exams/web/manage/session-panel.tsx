import { daysFrom, weekdayOf } from '@campus/calendar/contract'
import { examApi } from '@campus/exams/contract'
import type { ExamPlan, PaperRow, SessionDraft, SessionRow } from '@campus/exams/contract'
import { call, dictionaryName, instantText, useCan } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { CloseOutlined } from '@ant-design/icons'
import { Alert, Button, Space } from 'antd'
import type { DragEvent, ReactNode } from 'react'
import { SessionDialog } from './session-dialog.tsx'

const weekdays = ['', '一', '二', '三', '四', '五', '六', '日']
const kind = 'text/exam-paper'
const allow = (event: DragEvent) => event.preventDefault()
const [first_hour, minute_ms] = ['08:30', 60_000] as const

type Props = { plan: ExamPlan; readOnly: boolean; written: () => unknown }

/** 场次: sessions on a grid of days; papers are dragged between them, what cannot be is red and says who (chapter 55 §5). */
export function SessionPanel({ plan, readOnly, written }: Props): ReactNode {
  const { exam, papers, sessions, clashes } = plan
  const may_edit = useCan(examApi.saveSessions) && !readOnly
  const { busy, act } = useAct([], written)
  const { open, close, dialog } = useDialog()
  const nameOf = (id: string) => paperName(papers.find(one => one.paper_id === id), exam.grades.length > 1)
  const save = (next: SessionDraft[], done: string) => act(() => call(examApi.saveSessions, { exam_id: exam.exam_id, sessions: next }, { quiet: true }), { done })
  const suggest = () => act(async () => {
    const { sessions: next } = await call(examApi.suggest, { exam_id: exam.exam_id }, { quiet: true })
    await call(examApi.saveSessions, { exam_id: exam.exam_id, sessions: next }, { quiet: true })
    return papers.length - next.reduce((sum, one) => sum + one.paper_ids.length, 0)
  }, { ask: sessions.length > 0 && { title: '重新安排全部场次？', touches: '已有的场次、座位和监考会被替换。', ok: '重新安排' }, done: left => (left === 0 ? '已安排场次' : `已安排场次，还有${left}科排不下：请延长考试日期，或新增场次`) })
  const place = (paper_id: string, at: { session_id?: string; day?: string }) => {
    const rest = sessions.map(one => ({ ...one, paper_ids: one.paper_ids.filter(id => id !== paper_id) }))
    const next: SessionDraft[] = rest.map(one => (one.session_id === at.session_id ? { ...one, paper_ids: [...one.paper_ids, paper_id] } : one)).filter(one => one.paper_ids.length > 0)
    void save(at.day === undefined ? next : [...next, freshSession(at.day, paper_id, nameOf(paper_id), papers, sessions)], '已移动')
  }
  const drop = (at: { session_id?: string; day?: string }) => (event: DragEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const paper_id = event.dataTransfer.getData(kind)
    if (may_edit && paper_id !== '') place(paper_id, at)
  }
  const drag = (paper_id: string) => (event: DragEvent) => event.dataTransfer.setData(kind, paper_id)
  const chip = (id: string) => <span key={id} className="exam-chip" draggable={may_edit} onDragStart={drag(id)}>{nameOf(id)}</span>
  const edit = (session: SessionDraft | null) => open(<SessionDialog plan={plan} session={session} nameOf={nameOf} save={save} onClose={close} />)
  const remove = (session_id: string) => save(sessions.filter(one => one.session_id !== session_id), '已删除')
  const placed = new Set(sessions.flatMap(one => one.paper_ids))
  const bad = new Set(clashes.flatMap(one => one.session_ids))
  return (
    <>
      {may_edit && <Space><Button loading={busy} disabled={papers.length === 0} onClick={() => void suggest()}>自动安排</Button><Button disabled={papers.length === 0} onClick={() => edit(null)}>新增场次</Button></Space>}
      {clashes.length > 0 && <Alert type="error" title={<ul className="exam-clashes">{clashes.map(one => <li key={one.text}>{one.text}</li>)}</ul>} />}
      <div className="exam-pool">待安排：{papers.filter(one => !placed.has(one.paper_id)).map(one => chip(one.paper_id))}{papers.every(one => placed.has(one.paper_id)) && '无'}</div>
      <div className="exam-days">
        {daysFrom(exam.begin_date, exam.end_date).map(day => (
          <section key={day} className="exam-day" onDragOver={allow} onDrop={drop({ day })}>
            <h3>{day.slice(5)} 周{weekdays[weekdayOf(day)]}</h3>
            {sessions.filter(one => instantText(one.begin_at).startsWith(day)).map(one => (
              <SessionCard key={one.session_id} session={one} is_bad={bad.has(one.session_id)} may_edit={may_edit} drop={drop({ session_id: one.session_id })} edit={() => edit(one)} remove={() => void remove(one.session_id)}>
                {one.paper_ids.map(chip)}
              </SessionCard>
            ))}
          </section>
        ))}
      </div>
      {dialog}
    </>
  )
}

type CardProps = { session: SessionRow; is_bad: boolean; may_edit: boolean; drop: (event: DragEvent) => void; edit: () => void; remove: () => void; children: ReactNode }

function SessionCard({ session: { session_name, begin_at, end_at }, is_bad, may_edit, drop, edit, remove, children }: CardProps): ReactNode {
  return (
    <div className="exam-session" data-clash={is_bad || undefined} onDragOver={allow} onDrop={drop}>
      <header>
        <b title={session_name}>{session_name}</b>
        {may_edit && <Button type="link" size="small" aria-label={`编辑 ${session_name}`} onClick={edit}>编辑</Button>}
        {may_edit && <Button type="text" size="small" icon={<CloseOutlined aria-hidden />} aria-label={`删除 ${session_name}`} onClick={remove} />}
      </header>
      <small className="kit-number">{instantText(begin_at).slice(11, 16)}–{instantText(end_at).slice(11, 16)}</small>
      <div>{children}</div>
    </div>
  )
}

function paperName(paper: PaperRow | undefined, with_grade: boolean): string {
  if (!paper) return ''
  return with_grade ? `${dictionaryName('GRADE', paper.grade)}${dictionaryName('SUBJECT', paper.subject)}` : dictionaryName('SUBJECT', paper.subject)
}

/** A session for a paper that was dropped on a day: after the last one of that day. */
function freshSession(day: string, paper_id: string, session_name: string, papers: readonly PaperRow[], sessions: ExamPlan['sessions']): SessionDraft {
  const ends = sessions.filter(one => instantText(one.begin_at).startsWith(day)).map(one => Date.parse(one.end_at))
  const begin = ends.length === 0 ? Date.parse(`${day}T${first_hour}:00+08:00`) : Math.max(...ends) + 20 * minute_ms
  const minutes = papers.find(one => one.paper_id === paper_id)?.minutes ?? 90
  return { session_id: null, session_name, begin_at: new Date(begin).toISOString(), end_at: new Date(begin + minutes * minute_ms).toISOString(), paper_ids: [paper_id] }
}
