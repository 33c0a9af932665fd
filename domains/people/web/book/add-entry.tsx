import { BookEntryDraft } from '@campus/people/contract'
import { ruleOf, validValues } from '@kit/web'
import { Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PersonPicker } from '../picker/person-picker.tsx'
import { DeptsPicker } from './depts-picker.tsx'
import type { DraftEntry } from './use-book.ts'

const nothing = { user_id: null, dept_id: null, title: null, tel: null, visible: true, about: '', is_gone: false }
type Add = (entries: readonly DraftEntry[]) => void
type Chosen = { chosen: readonly DraftEntry[]; add: Add }

/** Adds departments and people; who stands in the list already is not added twice. */
export function AddPeople({ chosen, add }: Chosen): ReactNode {
  const [person, setPerson] = useState<{ user_id: string; user_name: string } | null>(null)
  const [depts, setDepts] = useState<{ id: string; name: string }[]>([])
  const addDepts = () => {
    add(depts.filter(({ id }) => chosen.every(entry => entry.dept_id !== id)).map(({ id, name }) => ({ ...nothing, dept_id: id, name })))
    setDepts([])
  }
  const addPerson = () => {
    if (person && chosen.every(entry => entry.user_id !== person.user_id)) add([{ ...nothing, user_id: person.user_id, name: person.user_name }])
    setPerson(null)
  }
  return (
    <div className="book-add">
      <DeptsPicker label="添加部门" tree="staff" placeholder="选择部门，含其下级的全部教职工" value={depts.map(({ id }) => id)} onChange={setDepts} />
      <Button disabled={depts.length === 0} onClick={addDepts}>添加部门</Button>
      <PersonPicker of={['teacher']} label="添加人员" known={person ? [person] : []} placeholder="输入姓名、拼音或工号查找教职工" value={person?.user_id ?? null} onChange={(user_id, user_name) => setPerson(user_id === undefined ? null : { user_id, user_name })} />
      <Button disabled={person === null} onClick={addPerson}>添加人员</Button>
    </div>
  )
}

/** Adds a number that belongs to nobody. */
export function AddNumber({ add, onTyping }: { add: Add; /** something is typed that is not added yet */ onTyping: (is_typing: boolean) => void }): ReactNode {
  const [form] = Form.useForm<{ title: string; tel: string }>()
  const send = async () => {
    const values = await validValues(form)
    if (!values) return
    add([{ ...nothing, title: values.title.trim(), tel: values.tel.trim(), name: values.title.trim() }])
    form.resetFields()
    onTyping(false)
  }
  const { title, tel } = BookEntryDraft.shape
  return (
    <Form form={form} name="book-number" className="book-add" onFinish={() => void send()} onValuesChange={(_: unknown, typed: Record<string, string | undefined>) => onTyping(Object.values(typed).some(text => Boolean(text?.trim())))}>
      <Form.Item name="title" rules={[{ required: true, message: '请填写名称' }, ruleOf(title)]}><Input aria-label="名称" maxLength={30} placeholder="名称，例如：门卫室" /></Form.Item>
      <Form.Item name="tel" rules={[{ required: true, message: '请填写电话' }, ruleOf(tel)]}><Input aria-label="电话" maxLength={30} placeholder="电话，例如：0571-88001234" /></Form.Item>
      <Button htmlType="submit">添加电话</Button>
    </Form>
  )
}
