import { aiRecordApi } from '@campus/devices/contract'
import type { AiWarning } from '@campus/devices/contract'
import { instantText, secondText, useCan } from '@kit/web'
import { Button, Input, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { kindName, lengthText, state_colors, stateName, thumbOf } from './ai-words.ts'
import { Shot } from './shot.tsx'
import { useDecisions } from './use-warnings.ts'

type Props = { warning: AiWarning; busy: boolean; act: (what: 'ignore' | 'illegal') => Promise<void>; undo: () => Promise<void>; note: string; write: (note: string) => void }

/** One warning: its pictures, what it is about, and what is to be decided. */
export function WarningDetail({ warning, busy, act, undo, note, write }: Props): ReactNode {
  const [at, setAt] = useState(0)
  const may_decide = useCan(aiRecordApi.ignore)
  const { images } = warning
  const shown = images[at] ?? images[0]
  return (
    <section className="ai-detail" aria-label="预警详情">
      <h3>{kindName(warning.warn_kind)}<Tag color={state_colors[warning.state]}>{stateName(warning.state)}</Tag><small>{`${warning.node_path_name ?? '已停用的场所'}${warning.then_name === null ? '' : `（当时名称：${warning.then_name}）`}`}</small></h3>
      <Shot className="ai-large" url={shown?.url} alt={shown ? `${kindName(warning.warn_kind)} ${instantText(shown.at)}` : ''} />
      {images.length > 1 && (
        <ul className="ai-thumbs">
          {images.map((image, n) => (
            <li key={image.at}><button type="button" aria-pressed={image === shown} aria-label={`第${n + 1}张 ${secondText(image.at)}`} onClick={() => setAt(n)}><Shot url={image.url && thumbOf(image.url)} alt="" /></button></li>
          ))}
        </ul>
      )}
      {may_decide && (
        <div className="ai-acts">
          {warning.state === '0' && (
            <>
              <Input aria-label="处理说明" placeholder="处理说明（可不填）" maxLength={200} value={note} onChange={event => write(event.target.value)} />
              <Button loading={busy} onClick={() => void act('ignore')}>忽略（I）</Button>
              <Button danger type="primary" loading={busy} onClick={() => void act('illegal')}>违规（W）</Button>
            </>
          )}
          {warning.can_undo && <Button loading={busy} onClick={() => void undo()}>撤销处理（U）</Button>}
        </div>
      )}
      <Facts warning={warning} />
      <History warning={warning} />
    </section>
  )
}

function Facts({ warning }: { warning: AiWarning }): ReactNode {
  const { begin_at, hits, camera_name, box_name, rule_name, person_name, decision_note } = warning
  return (
    <dl className="ai-facts">
      <dt>开始时间</dt><dd>{`${instantText(begin_at).slice(0, 10)} ${secondText(begin_at)}`}</dd>
      <dt>持续</dt><dd>{`${lengthText(warning)}，共${hits}次`}</dd>
      <dt>摄像机</dt><dd>{camera_name}</dd>
      <dt>AI盒子</dt><dd>{box_name}</dd>
      <dt>规则</dt><dd>{rule_name}</dd>
      <dt>识别人员</dt><dd>{person_name ?? '—'}</dd>
      {decision_note !== null && <><dt>处理说明</dt><dd className="ai-wide">{decision_note}</dd></>}
    </dl>
  )
}

function History({ warning }: { warning: AiWarning }): ReactNode {
  const decisions = useDecisions(warning).data ?? []
  if (decisions.length === 0) return null
  return (
    <ol className="ai-history" aria-label="处理记录">
      {decisions.map(({ at, user_name, role_name, to_state, note }) => <li key={at}>{`${instantText(at)} ${user_name}（${role_name}）${to_state === '0' ? '撤销处理' : `标记为${stateName(to_state)}`}${note ? `：${note}` : ''}`}</li>)}
    </ol>
  )
}
