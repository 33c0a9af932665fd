import { examSheetApi, planApi } from '@campus/exams/contract'
import type { ExamPlan } from '@campus/exams/contract'
import { downloadFile, instantText, printOn } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Segmented, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AdmissionSlips, DoorSheets, RoomList, SeatLabels, SignSheets } from './sheets.tsx'
import type { SheetFacts } from './sheets.tsx'

const kinds = ['考场一览', '门贴', '桌贴', '签到表', '准考证'] as const
const [list, door, label, sign, slip] = kinds

/** 打印: papers of a plan on A4 or A3, with the same figures as the screen (chapter 55 rule 39). */
export function PrintTab({ plan }: { plan: ExamPlan }): ReactNode {
  const { exam, sessions, classes } = plan
  const { exam_id } = exam
  const [kind, show] = useState<string>(list)
  const [session_id = sessions[0]?.session_id, choose] = useState<string>()
  const [dept_id = classes[0]?.dept_id, pick] = useState<string>()
  const by_class = kind === slip
  const asked = by_class ? (dept_id === undefined ? {} : { dept_id }) : session_id === undefined || kind === list ? {} : { session_id }
  const query = useCall(planApi.sheets, { exam_id, ...asked }, { keep: true })
  const duties = useCall(planApi.duties, { exam_id })
  const is_wide = kind === list
  return (
    <>
      <div className="exam-head kit-no-print">
        <Segmented options={[...kinds]} value={kind} onChange={show} />
        {by_class && <Select className="exam-short" aria-label="班级" value={dept_id} onChange={pick} options={classes.map(one =>
          ({ value: one.dept_id, label: one.dept_name }))} />}
        {!by_class && kind !== list && (
          <Select
            className="exam-select" aria-label="场次" value={session_id} onChange={choose}
            options={sessions.map(one => ({ value: one.session_id,
              label: `${instantText(one.begin_at).slice(5, 16)} ${one.session_name}` }))}
          />
        )}
        <span className="exam-spring" />
        <ExportButton
          code={examSheetApi.plan} title="导出考场安排" unit="人次" total={by_class || kind !== list
            ? undefined : query.data?.seats.length} kept="24 小时" reason_above={1000}
          run={reason => downloadFile(examSheetApi.plan, { exam_id, ...(reason === '' ? {} : { reason }) }, { quiet: true })}
        />
        <Button onClick={() => printOn('A4', is_wide ? 'landscape' : 'portrait')}>打印 A4</Button>
        <Button onClick={() => printOn('A3', is_wide ? 'landscape' : 'portrait')}>打印 A3</Button>
      </div>
      <Loaded query={query} rows={10} empty="还没有编排座位">
        {({ seats }) => duties.data && (
          <div className="exam-sheets">
            {seats.length === 0 && <p className="kit-no-print">还没有编排座位，编排后可以打印</p>}
            <Sheets kind={kind} facts={{ plan, seats, rooms: duties.data.rooms, posts: duties.data.posts }} />
          </div>
        )}
      </Loaded>
    </>
  )
}

function Sheets({ kind, facts }: { kind: string; facts: SheetFacts }): ReactNode {
  if (kind === door) return <DoorSheets {...facts} />
  if (kind === label) return <SeatLabels {...facts} />
  if (kind === sign) return <SignSheets {...facts} />
  if (kind === slip) return <AdmissionSlips {...facts} />
  return <RoomList {...facts} />
}
