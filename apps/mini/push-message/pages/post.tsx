import type { OpenedPost } from '@campus/publishing/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { PushPage } from '../page.ts'
import { kindName, reply, timeText } from '../words.ts'
import { Answer } from './answer.tsx'

type Props = PushPage & { id: string; onBack: () => void; onRead: () => void }
type Subject = OpenedPost['subjects'][number]

/** A post: opening it is reading it. Below it what it asks back, once for each child. */
export function Post({ call, say, id, onBack, onRead }: Props): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('open', { id }), [call, id]))
  const read = useRef(onRead)
  useEffect(() => {
    if (data) read.current()
  }, [data])
  const back = (
    <button type="button" className="link" onClick={onBack}>
      返回
    </button>
  )
  if (!data) {
    return (
      <Card title="正文" side={back}>
        {failure === undefined ? <Bars rows={6} /> : <Failed msg={failure} onAgain={again} />}
      </Card>
    )
  }
  return (
    <>
      <Card title={data.title} side={back}>
        <p className="push-facts">
          {kindName(data.kind)} · {data.author_name ?? ''} · {timeText(data.sent_at)}
        </p>
        {data.due_at !== null && <p className="push-facts">截止 {timeText(data.due_at)}</p>}
        {/* Cleaned on the server when it was written; stored as it is shown. */}
        <div className="push-text" dangerouslySetInnerHTML={{ __html: data.content_html }} />
        {data.attachments.map(file => (
          <a key={file.file_key} className="push-file" href={file.address} target="_blank" rel="noopener noreferrer">
            附件：{file.name}
          </a>
        ))}
      </Card>
      {data.reply_kind === reply.confirm && <Confirm post={data} call={call} say={say} onDone={again} />}
      {data.reply_kind > reply.confirm &&
        data.subjects.map(subject => (
          <ForOne
            key={`${subject.subject_user_id} ${subject.submitted_at}`}
            post={data}
            subject={subject}
            call={call}
            say={say}
            onDone={again}
          />
        ))}
    </>
  )
}

type Part = Pick<PushPage, 'call' | 'say'> & { post: OpenedPost; onDone: () => void }

function Confirm({ post, call, say, onDone }: Part): ReactNode {
  const [busy, setBusy] = useState(false)
  const waiting = post.subjects.some(subject => subject.submitted_at === null)
  const confirm = async () => {
    setBusy(true)
    try {
      await call('confirm', { id: post.id })
      say('已确认')
      onDone()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  if (!waiting) {
    return (
      <Card title="回执">
        <p>已确认</p>
      </Card>
    )
  }
  return (
    <Card title="回执">
      <p>请确认您已阅读并知晓。</p>
      <button type="button" className="button button-first" disabled={busy || post.is_expired} onClick={() => void confirm()}>
        我已阅读并确认
      </button>
    </Card>
  )
}

/** 连续打卡 as the phone says it (chapter 60 rule 21). */
function streakText({ due, done, streak }: NonNullable<Subject['check_in']>): string {
  return `连续打卡 ${streak} 天 · 已打卡 ${done}/${due} 天`
}

function ForOne({ post, subject, call, say, onDone }: Part & { subject: Subject }): ReactNode {
  const title = subject.is_self ? '我的回执' : `${subject.name}的回执`
  const given = subject.submitted_at === null ? null : `${subject.submitted_by ?? ''}已于 ${timeText(subject.submitted_at)} 提交`
  const kept = subject.check_in && <p className="push-facts">{streakText(subject.check_in)}</p>
  if (!subject.can_submit) {
    const rests = subject.check_in?.is_due === false ? '今天不需要打卡' : '已超过截止时间，不能提交'
    return (
      <Card title={title}>
        {kept}
        <p>{given ?? rests}</p>
      </Card>
    )
  }
  return (
    <Card title={title}>
      {kept}
      {given !== null && <p className="push-facts">{subject.must_sign_again ? '内容已更新，需重新签字' : `${given}，可以重新提交`}</p>}
      {post.anonymous && <p className="push-facts">匿名提交：不记录姓名，只能提交一次。</p>}
      <Answer post={post} subject_user_id={subject.subject_user_id} call={call} say={say} onDone={onDone} />
    </Card>
  )
}
