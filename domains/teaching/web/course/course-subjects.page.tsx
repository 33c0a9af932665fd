import { courseApi, courseList } from '@campus/teaching/contract'
import type { CourseRow } from '@campus/teaching/contract'
import { call, Can, dictionaryName, fieldsOf, Filters, ImportButton, ListPage, Table, useCan, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import '../teaching.css'

const CourseDialog = lazyDialog(() => import('./course-dialog.tsx').then(part => part.CourseDialog))

const fields = fieldsOf(courseList, {
  course_name: { default_action: true, cell: row => <span><i className="teaching-color" style={{ background: row.color }} aria-hidden />{row.course_name}</span> },
  grades: { cell: row => <span title={gradeNames(row)}>{gradeNames(row)}</span> },
  place_kind: { cell: row => (row.place_kind === null ? '' : dictionaryName('PLACE_KIND', String(row.place_kind))) },
  archived: { cell: row => <Tag color={row.archived ? 'default' : 'green'}>{row.archived ? '停用' : '启用'}</Tag> },
})

function gradeNames({ grades }: CourseRow): string {
  return grades.map(grade => dictionaryName('GRADE', grade)).join('、')
}

/** 课程科目: every course of the school, for which grades and how often (chapter 50 §5). */
export default function CourseSubjects(): ReactNode {
  const list = useResourceList(courseApi.list, fields)
  const { open, close, dialog } = useDialog()
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { busy, act } = useAct([courseApi.all], written)
  const may_edit = useCan(courseApi.update)
  const chosen = list.rows.filter(row => list.selected.includes(row.id))
  const turn = (enabled: boolean) => act(() => call(courseApi.enable, { ids: chosen.map(row => row.id), enabled }, { quiet: true }), { done: ({ changed }) => `已${enabled ? '启用' : '停用'} ${changed}门` })
  const add = () => open(<CourseDialog course={null} onClose={close} onDone={written} />)
  const remove = (row: CourseRow) => act(() => call(courseApi.remove, { id: row.id }, { quiet: true }), { ask: { title: `删除“${row.course_name}”？`, touches: '从未任课、从未排课的课程才能删除。', ok: '删除' }, done: '删除成功!' })
  const edit = (row: CourseRow) => open(<CourseDialog course={row} onClose={close} onDone={written} />)
  const rowActs = (row: CourseRow) => (
    <>
      <Button type="link" size="small" aria-label={`编辑 ${row.course_name}`} onClick={() => edit(row)}>编辑</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${row.course_name}`} onClick={() => void remove(row)}>删除</Button>
    </>
  )
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'subject', 'grade', 'course_type', 'state']} />}
      batch={
        <Can code={courseApi.enable}>
          <Button loading={busy} disabled={chosen.every(row => !row.archived)} onClick={() => void turn(true)}>启用</Button>
          <Button loading={busy} disabled={chosen.every(row => row.archived)} onClick={() => void turn(false)}>停用</Button>
        </Can>
      }
      actions={
        <>
          <ImportButton code="teaching.course.import" template="course" title="课程导入" label="导入" unit="门" onApplied={written} />
          <ListExport of={list} fact={courseList} call={courseApi.export} />
          <Can code={courseApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新增课程</Button></Can>
        </>
      }
    >
      <Table
        of={list} show={['course_no', 'course_name', 'subject', 'grades', 'course_type', 'course_attr', 'weekly', 'double', 'archived']} more={['walking', 'place_kind', 'color']} selectable
        row={may_edit ? rowActs : undefined} row_width={112} empty="还没有课程：点“新增课程”或用“导入”一次登记全部课程"
      />
      {dialog}
    </ListPage>
  )
}
