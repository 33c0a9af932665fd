import {
  ATTEND_WAY,
  change_cause_names,
  event_claim_names,
  correction_state_names,
  correctionApi,
  event_source_names,
  flagTexts,
} from '@campus/attendance/contract'
import type { DetailRow, RowEvidence, Who } from '@campus/attendance/contract'
import { AppDrawer, Can, instantText, secondText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Descriptions, Empty, Tag, Timeline } from 'antd'
import type { ReactNode } from 'react'
import { detail_apis } from './result-words.ts'
import { StateTag } from './state-tag.tsx'
import './result.css'

type Names = Readonly<Record<string, string>>
const said = (names: Names, code: string | number) => names[String(code)] ?? String(code)
const gate_names: Names = { 1: '进校', 2: '离校' }

/** 判定依据: why the row says what it says, with everything it was judged from. */
export function RowDrawer({
  who,
  of,
  onClose,
  onCorrect,
}: {
  who: Who
  of: Pick<DetailRow, 'lesson_date' | 'expect_kind' | 'occurrence_id' | 'user_id'>
  onClose: () => void
  onCorrect?: () => void
}): ReactNode {
  const { lesson_date, expect_kind, occurrence_id, user_id } = of
  const query = useCall(detail_apis[who].row, { lesson_date, expect_kind, occurrence_id, user_id })
  return (
    <AppDrawer
      title="判定依据"
      size={560}
      onClose={onClose}
      extra={
        onCorrect && (
          <Can code={correctionApi.add}>
            <Button onClick={onCorrect}>更正</Button>
          </Can>
        )
      }
    >
      <Loaded query={query}>{evidence => <Evidence of={evidence} />}</Loaded>
    </AppDrawer>
  )
}

function factsOf({ row, rule_version }: RowEvidence): [string, ReactNode][] {
  return [
    ['人员', `${row.user_name} ${row.user_no ?? ''} ${row.dept_name ?? ''}`],
    ['课程', `${row.lesson_date} 第${row.section}节 ${row.course_name ?? ''} ${row.place_name ?? ''} ${row.teacher_names}`],
    [
      '结果',
      <>
        <StateTag state={row.state} provisional={row.provisional} />
        {row.late_min > 0 && `迟到${row.late_min}分 `}
        {row.early_min > 0 && `早退${row.early_min}分`}
        {flagTexts(row.flags).map(flag => (
          <Tag key={flag}>{flag}</Tag>
        ))}
      </>,
    ],
    ['签到/签退', `${row.in_at === null ? '—' : secondText(row.in_at)} / ${row.out_at === null ? '—' : secondText(row.out_at)}`],
    ['规则', rule_version ?? '未设置规则'],
  ]
}

function Evidence({ of }: { of: RowEvidence }): ReactNode {
  const { row, sentence, ladder, events } = of
  return (
    <div className="attend-evidence">
      {sentence !== '' && <Alert type={row.state === 1 ? 'success' : 'info'} showIcon title={sentence} />}
      <Descriptions size="small" column={1} bordered items={factsOf(of).map(([label, children]) => ({ key: label, label, children }))} />
      {ladder.length > 0 && (
        <Part title="判定过程">
          <Timeline items={ladder.map(rung => ({ key: rung.step, color: rung.hit ? 'green' : 'gray', content: rung.text }))} />
        </Part>
      )}
      <Part title="当天打卡">
        {events.length === 0 ? (
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="当天没有打卡记录" />
        ) : (
          <Timeline
            items={events.map(event => ({
              key: `${event.source}/${event.source_key}`,
              color: event.is_decisive ? 'green' : 'gray',
              content: <EventLine of={event} />,
            }))}
          />
        )}
      </Part>
      <Circumstances of={of} />
    </div>
  )
}

/** Gates, leaves, corrections and changes, as far as there are any. */
function Circumstances({ of: { gates, leaves, corrections, changes } }: { of: RowEvidence }): ReactNode {
  return (
    <>
      {gates.length > 0 && (
        <Part title="进出校门">
          <p>
            {gates.map(gate => `${secondText(gate.at)} ${said(gate_names, gate.direction)} ${gate.place_name ?? ''}`).join('；')}
          </p>
        </Part>
      )}
      {leaves.length > 0 && (
        <Part title="请假">
          {leaves.map(leave => (
            <p key={leave.leave_id}>
              {instantText(leave.begin_at)} 至 {instantText(leave.end_at)}
            </p>
          ))}
        </Part>
      )}
      {corrections.length > 0 && (
        <Part title="更正与申诉">
          {corrections.map(one => (
            <p key={one.correction_id}>
              <StateTag state={one.from_state} />→<StateTag state={one.to_state} />
              {one.asked_name} {instantText(one.asked_at)} {one.reason_text}（{said(correction_state_names, one.state)}）
            </p>
          ))}
        </Part>
      )}
      {changes.length > 0 && (
        <Part title="结果变化">
          <Timeline items={changes.map((change, at) => ({ key: at, content: <ChangeLine of={change} /> }))} />
        </Part>
      )}
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactNode {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  )
}

function EventLine({ of: event }: { of: RowEvidence['events'][number] }): ReactNode {
  const way = event.identify_type === null ? said(event_source_names, event.source) : said(ATTEND_WAY.names, event.identify_type)
  return (
    <>
      {event.at === null ? '时间不可用' : secondText(event.at)} {event.place_name ?? ''} {way}{' '}
      {said(event_claim_names, event.claim)} {event.is_decisive && <Tag color="green">采用</Tag>}
      {event.voided && <Tag>已作废</Tag>}
    </>
  )
}

function ChangeLine({ of: { at, from_state, to_state, cause } }: { of: RowEvidence['changes'][number] }): ReactNode {
  return (
    <>
      {instantText(at)} {from_state === null ? '新增' : <StateTag state={from_state} />}→
      {to_state === null ? '取消' : <StateTag state={to_state} />}
      {said(change_cause_names, cause)}
    </>
  )
}
