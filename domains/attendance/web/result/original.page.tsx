import { attendEventApi, eventList, match_names } from '@campus/attendance/contract'
import type { EventRow, Who } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, schoolToday, Table, usePage, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Alert, Button, Form, Input, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { carriedFilter, useResultFilters } from './filters.tsx'
import { original_apis } from './result-words.ts'

const RowDrawer = lazyDialog(() => import('./row-drawer.tsx').then(part => part.RowDrawer))
const usual_days = 6
const match_colors: Readonly<Record<keyof typeof match_names, string>> = {
  used: 'green',
  repeat: 'default',
  room: 'orange',
  time: 'orange',
  none: 'default',
  voided: 'default',
  clock: 'red',
}

export const OriginalRecordStudent = (): ReactNode => <Originals who="student" />
export const OriginalRecordTeacher = (): ReactNode => <Originals who="teacher" />

/** 原始打卡记录: every claim as it came, and what it was used for (chapter 55 §5). */
function Originals({ who }: { who: Who }): ReactNode {
  const { search } = usePage()
  const { open, close, dialog } = useDialog()
  const api = original_apis[who]
  const { dept_id, classroom } = useResultFilters(
    who,
    search.from ?? addDays(search.to ?? schoolToday(), -usual_days),
    search.to ?? schoolToday(),
  )
  const fields = useMemo(
    () =>
      fieldsOf(eventList, {
        dept_id,
        classroom,
        user_name: { default_action: true },
        match: { cell: matchCell },
        user_id: { filter: carriedFilter('user_id', '所选人员') },
      }),
    [dept_id, classroom],
  )
  const list = useResourceList(api.page, fields)
  const { act, busy } = useAct([], list.refresh)
  const show = ({ lesson_date, occurrence_id, expect_kind, user_id }: EventRow) => {
    if (lesson_date !== null && occurrence_id !== null && expect_kind !== null)
      open(<RowDrawer who={who} of={{ lesson_date, occurrence_id, expect_kind, user_id }} onClose={close} />)
  }
  const drop = (row: EventRow) => open(<VoidDialog of={row} onClose={close} onDone={() => void list.refresh()} />)
  const restore = ({ event_date, source, source_key }: EventRow) =>
    act(() => call(attendEventApi.unvoid, { event_date, source, source_key }, { quiet: true }), { done: '已恢复' })
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'dept_id', 'from', 'classroom', 'identify_type', 'matched', 'clock']} />}
      actions={<ListExport of={list} fact={eventList} call={api.export} />}
    >
      <Table
        of={list}
        show={['at', 'user_name', 'user_no', 'dept_name', 'place_name', 'direction', 'identify_type', 'match', 'time_state']}
        more={['device_name', 'source', 'received_at']}
        row={actsOf({ busy, show, drop, restore })}
        row_width={128}
        empty="最近7天没有打卡记录；可以换一段日期，或检查考勤点位的设备"
      />
      {dialog}
    </ListPage>
  )
}

function matchCell(row: EventRow): ReactNode {
  return (
    <Tag color={match_colors[row.match]}>
      {row.match === 'used' && row.section !== null ? `第${row.section}节` : match_names[row.match]}
    </Tag>
  )
}

type Acts = { busy: boolean } & Record<'show' | 'drop' | 'restore', (row: EventRow) => unknown>

function actsOf({ busy, show, drop, restore }: Acts): (row: EventRow) => ReactNode {
  return row => (
    <>
      {row.match === 'used' && (
        <Button type="link" size="small" aria-label={`查看判定 ${row.user_name}`} onClick={() => show(row)}>
          查看判定
        </Button>
      )}
      <Can code={attendEventApi.void}>
        {row.match === 'voided' ? (
          <Button type="link" size="small" disabled={busy} aria-label={`恢复 ${row.user_name}`} onClick={() => void restore(row)}>
            恢复
          </Button>
        ) : (
          <Button type="link" size="small" danger aria-label={`作废 ${row.user_name}`} onClick={() => drop(row)}>
            作废
          </Button>
        )}
      </Can>
    </>
  )
}

function VoidDialog({ of, onClose, onDone }: { of: EventRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const { event_date, source, source_key } = of
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(attendEventApi.void, { event_date, source, source_key, ...values }, { quiet: true }), '已作废')))
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={`作废打卡记录 · ${of.user_name}`}
      okText="作废"
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>记录本身保留，只是不再参与判定；可以随时恢复。</p>
      <Form form={form} name="attend-void" layout="vertical">
        <Form.Item
          name="reason"
          label="理由"
          rules={[
            { required: true, whitespace: true, message: '请填写理由' },
            { min: 2, message: '理由至少2个字' },
          ]}
        >
          <Input.TextArea rows={3} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
