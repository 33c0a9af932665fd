import type { MyScore } from '@campus/exams/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

type Line = MyScore['lines'][number]
const review_words: Readonly<Record<number, string>> = { 0: '查分受理中', 1: '查分：维持原分', 2: '查分：已申请更正' }
const least_words = 2
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

/** 我的成绩: what was published of me or my child, exam by exam, with a request to look at a score again. */
export function Scores({ call, go, say }: HallPage): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('scores', {}), [call]))
  const [chosen, choose] = useState<string>()
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  const pupils = [...new Map(data.list.map(one => [one.user_id, one.user_name]))]
  const user_id = chosen ?? pupils[0]?.[0]
  return (
    <>
      <button type="button" className="link" onClick={() => go('mine')}>返回我的</button>
      {pupils.length > 1 && (
        <div className="choice" role="group" aria-label="学生">
          {pupils.map(([id, name]) => <button key={id} type="button" aria-pressed={id === user_id} onClick={() =>
            choose(id)}>{name}</button>)}
        </div>
      )}
      {data.list.length === 0 && <Card title="我的成绩"><p className="empty">还没有公布的成绩，公布后会收到通知</p></Card>}
      {data.list.filter(one => one.user_id === user_id).map(exam => (
        <Exam key={exam.exam_id} exam={exam} ask={reason => call('askReview', reason)} say={say} onAsked={again} />
      ))}
    </>
  )
}

type Asked = { exam_id: string; paper_id: string; user_id: string; reason: string }
type ExamProps = { exam: MyScore; ask: (asked: Asked) => Promise<unknown>; say: (msg: string) => void; onAsked: () => void }

function Exam({ exam, ask, say, onAsked }: ExamProps): ReactNode {
  const [asking, setAsking] = useState<Line>()
  const is_open = exam.may_review
  const whole = [exam.total === null ? null : `总分 ${exam.total}`, exam.rank].filter(text => text !== null).join('，')
  const done = () => {
    setAsking(undefined)
    onAsked()
  }
  return (
    <Card title={exam.exam_name} side={<small>{clock.format(new Date(exam.released_at)).slice(0, 10)}</small>}>
      {whole !== '' && <p><b>{whole}</b></p>}
      <ul className="lines">
        {exam.lines.map(line => (
          <li key={line.paper_id} className="line">
            <span className="words"><b>{line.subject}</b>{line.review && <small className="whole">{reviewText(line.review)}</small>}</span>
            <b>{valueOf(line)}</b>
            {is_open && line.review?.state !== 0 &&
              <button type="button" className="button" aria-label={`${line.subject}查分`} onClick={() => setAsking(line)}>查分</button>}
          </li>
        ))}
      </ul>
      {asking && <Ask key={asking.paper_id} line={asking} send={reason => ask({ exam_id: exam.exam_id, user_id: exam.user_id,
        paper_id: asking.paper_id, reason })} say={say} onDone={done} />}
      {is_open && !asking && <p className="empty">对成绩有疑问，可在 {clock.format(new Date(exam.review_until))} 前申请查分</p>}
    </Card>
  )
}

function valueOf({ score, level }: Line): string {
  if (score === null) return level ?? '未录入'
  return level === null || level === score ? score : `${score}（${level}）`
}

function reviewText({ state, answer }: NonNullable<Line['review']>): string {
  return `${review_words[state] ?? ''}${answer === '' ? '' : `。${answer}`}`
}

type AskProps = { line: Line; send: (reason: string) => Promise<unknown>; say: (msg: string) => void; onDone: () => void }

function Ask({ line, send, say, onDone }: AskProps): ReactNode {
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    try {
      await send(reason.trim())
      say('已申请查分，答复后会通知您')
      onDone()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <div className="leave-form">
      <label className="field">
        {line.subject}查分原因
        <textarea
          rows={3}
          maxLength={200}
          placeholder="请写明疑问，至少2个字"
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      </label>
      <div className="consent-answers">
        <button type="button" className="button" disabled={busy} onClick={onDone}>取消</button>
        <button type="button" className="button button-first" disabled={busy || reason.trim().length < least_words} onClick={() =>
          void ask()}>提交申请</button>
      </div>
    </div>
  )
}
