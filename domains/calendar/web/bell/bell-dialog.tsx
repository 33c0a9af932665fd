import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { bellApi, BellDraft, BellSection, calendarErrors, checkSections, clockOf, minutesOf, most_sections, SECTION_KIND } from '@campus/calendar/contract'
import type { Bell } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Input, InputNumber, Select } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'

type Values = { name: string; stage: Bell['stage']; season: Bell['season']; sections: BellSection[] }
const kinds = Object.entries(SECTION_KIND.names).map(([code, label]) => ({ value: Number(code), label }))
const [lesson_minutes, break_minutes, day_minutes] = [45, 10, 1440]
const first: BellSection = { name: '第一节', section_kind: 2, section: 1, begin: '08:00', end: '08:45' }

/** Makes a bell or changes one: a table of the parts of the day. The times of one that rings stay. */
export function BellDialog({ bell, onClose }: { bell: Bell | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [calendarErrors.bellNameTaken.id]: 'name' })
  const changed = useCalendarChanged()
  const stages = useDictionary('STAGE')
  const save = async () => {
    const values = await validValues(form)
    if (!values || !isInOrder(form, values.sections)) return
    const draft = { ...values, stage: values.stage ?? null, season: values.season ?? null }
    if (!(await run(() => (bell ? call(bellApi.update, { id: bell.id, row_version: bell.row_version, ...draft }, { quiet: true }) : call(bellApi.add, draft, { quiet: true })), bell ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={760} title={bell ? `编辑作息：${bell.name}` : '新增作息'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {bell?.in_use && <Alert type="info" showIcon title="作息正在使用：可改名称和类别；要改时间，请复制后切换" />}
      <Form form={form} name="bell" layout="vertical" initialValues={bell ?? { name: '', stage: null, season: null, sections: [first] }}>
        <div className="term-fields">
          <Form.Item name="name" label="名称" required rules={[ruleOf(BellDraft.shape.name)]}><Input maxLength={20} showCount placeholder="例如：高中冬季作息" /></Form.Item>
          <div className="term-fields">
            <Form.Item name="stage" label="学段"><Select allowClear placeholder="不限" options={stages} /></Form.Item>
            <Form.Item name="season" label="季节"><Select allowClear placeholder="不限" options={[{ value: 'summer', label: '夏季' }, { value: 'winter', label: '冬季' }]} /></Form.Item>
          </div>
        </div>
        <Form.List name="sections">
          {(lines, { add, remove }) => (
            <div className="bell-scroll">
              <table className="bell-lines">
                <thead><tr><th>名称</th><th>类别</th><th>节次</th><th>开始</th><th>结束</th><th aria-label="操作" /></tr></thead>
                <tbody>{lines.map(({ key, name }, at) => <Line key={key} name={name} at={at} fixed={bell?.in_use === true} remove={() => remove(name)} />)}</tbody>
              </table>
              {bell?.in_use !== true && <Button type="dashed" block icon={<PlusOutlined aria-hidden />} disabled={lines.length >= most_sections} onClick={() => add(nextAfter(form.getFieldValue('sections')))}>添加时段</Button>}
            </div>
          )}
        </Form.List>
      </Form>
    </AppModal>
  )
}

function Line({ name, at, fixed, remove }: { name: number; at: number; fixed: boolean; remove: () => void }): ReactNode {
  const label = (what: string) => `第${at + 1}行${what}`
  const { shape } = BellSection
  return (
    <tr>
      <td><Form.Item name={[name, 'name']} rules={[ruleOf(shape.name)]}><Input aria-label={label('名称')} maxLength={12} /></Form.Item></td>
      <td><Form.Item name={[name, 'section_kind']}><Select aria-label={label('类别')} style={{ width: 104 }} options={kinds} /></Form.Item></td>
      <td><Form.Item name={[name, 'section']} rules={[ruleOf(shape.section)]}><InputNumber aria-label={label('节次')} style={{ width: 72 }} disabled={fixed} /></Form.Item></td>
      <td><Form.Item name={[name, 'begin']} rules={[ruleOf(shape.begin)]}><Input aria-label={label('开始')} style={{ width: 80 }} disabled={fixed} placeholder="08:00" /></Form.Item></td>
      <td><Form.Item name={[name, 'end']} rules={[ruleOf(shape.end)]}><Input aria-label={label('结束')} style={{ width: 80 }} disabled={fixed} placeholder="08:45" /></Form.Item></td>
      <td>{!fixed && <Button type="text" icon={<DeleteOutlined aria-hidden />} aria-label={label('删除')} onClick={remove} />}</td>
    </tr>
  )
}

/** The next lesson begins after a break. */
function nextAfter(sections: readonly BellSection[] | undefined): BellSection {
  const last = sections?.at(-1)
  const begin = last && /^\d\d:\d\d$/.test(last.end) ? minutesOf(last.end) + break_minutes : minutesOf(first.begin)
  const section = Math.max(0, ...(sections ?? []).map(part => part.section ?? 0)) + 1
  return { name: `第${section}节`, section_kind: last?.section_kind ?? 2, section, begin: clockOf(Math.min(begin, day_minutes)), end: clockOf(Math.min(begin + lesson_minutes, day_minutes)) }
}

/** What is wrong between the lines is said at its field before anything is sent. */
function isInOrder(form: FormInstance<Values>, sections: readonly BellSection[]): boolean {
  const fault = checkSections(sections)
  if (fault === null) return true
  const at = (field: 'begin' | 'end' | 'section', msg: string) => form.setFields([{ name: ['sections', fault.at, field], errors: [msg] }])
  if (fault.kind === 'order') at('end', calendarErrors.bellOrder.msg)
  if (fault.kind === 'overlap') at('begin', `「${fault.a}」与「${fault.b}」时间重叠`)
  if (fault.kind === 'twice') at('section', `第${fault.n}节重复，请修改节次`)
  return false
}
