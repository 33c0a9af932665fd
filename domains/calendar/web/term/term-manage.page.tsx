import { PlusOutlined } from '@ant-design/icons'
import { calendarErrors, semesterApi } from '@campus/calendar/contract'
import type { Semester } from '@campus/calendar/contract'
import { AppModal, call, Can, confirmDanger, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Input } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { semesterFields } from './semester.fields.tsx'
import { TermStrip } from './term-strip.tsx'
import '../calendar.css'

const TermDialog = lazy(() => import('./term-dialog.tsx').then(part => ({ default: part.TermDialog })))

type Opened = { view: 'new' } | { view: 'edit'; row: Semester } | { view: 'reopen'; row: Semester } | null

/** 学期管理: the terms of the school, with the year as a strip above them. */
export default function TermManage(): ReactNode {
  const list = useResourceList(semesterApi.list, semesterFields)
  const [opened, open] = useState<Opened>(null)
  const changed = useCalendarChanged()
  const may_edit = useCan(semesterApi.update)
  const written = async () => {
    await Promise.all([changed(), list.refresh()])
  }
  return (
    <ListPage
      of={list}
      head={<TermStrip terms={list.rows} />}
      filters={<Filters of={list} show={['school_year']} />}
      actions={<Can code={semesterApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={() => open({ view: 'new' })}>新增学期</Button></Can>}
    >
      <Table
        of={list}
        show={['school_year', 'term', 'name', 'begin_date', 'end_date', 'weeks', 'exam_weeks', 'state']}
        more={['register_date']}
        row={may_edit ? actionsOf({ open, written }) : undefined}
        row_width={144}
        empty="还没有学期：点“新增学期”设置起止日期，校历、周次和课表都从这里开始"
      />
      <Suspense>
        {(opened?.view === 'new' || opened?.view === 'edit') && <TermDialog term={opened.view === 'edit' ? opened.row : null} terms={list.rows} onClose={() => open(null)} onDone={written} />}
        {opened?.view === 'reopen' && <ReopenDialog row={opened.row} onClose={() => open(null)} onDone={written} />}
      </Suspense>
    </ListPage>
  )
}

function actionsOf(doing: Omit<ActsProps, 'row'>): (row: Semester) => ReactNode {
  return row => <Acts row={row} {...doing} />
}

type ActsProps = { row: Semester; open: (next: Opened) => void; written: () => Promise<void> }

function Acts({ row, open, written }: ActsProps): ReactNode {
  const run = async (change: () => Promise<unknown>, done: string) => {
    try {
      await change()
      toast.success(done)
    } catch (cause) {
      toast.warning(sentenceOf(cause))
    }
    await written()
  }
  const close = async () => {
    if (await confirmDanger({ title: `归档“${row.name}”？`, touches: '归档后日期与课表不能修改，可填写原因后取消归档。', ok: '归档' })) await run(() => call(semesterApi.close, { id: row.id, row_version: row.row_version }, { quiet: true }), '已归档')
  }
  const remove = async () => {
    if (await confirmDanger({ title: `删除“${row.name}”？`, touches: '该学期的校历、周次一并清除。', ok: '删除' })) await run(() => call(semesterApi.remove, { id: row.id }, { quiet: true }), '删除成功!')
  }
  if (row.state === 'closed') return <Button type="link" size="small" aria-label={`取消归档 ${row.name}`} onClick={() => open({ view: 'reopen', row })}>取消归档</Button>
  return (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${row.name}`} onClick={() => open({ view: 'edit', row })}>编辑</Button>
      {row.state === 'over' && <Button type="link" size="small" aria-label={`归档 ${row.name}`} onClick={() => void close()}>归档</Button>}
      {row.state === 'coming' && <Button type="link" size="small" danger aria-label={`删除 ${row.name}`} onClick={() => void remove()}>删除</Button>}
    </>
  )
}

function ReopenDialog({ row, onClose, onDone }: { row: Semester; onClose: () => void; onDone: () => Promise<void> }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form, { [calendarErrors.staleRow.id]: 'reason' })
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(semesterApi.reopen, { id: row.id, row_version: row.row_version, ...values }, { quiet: true }), '已取消归档'))) return
    await onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`取消归档：${row.name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="reopen" layout="vertical">
        <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
