import { mobile_ways, most_entries } from '@campus/people/contract'
import type { Book, BookEntry, ShownGroup } from '@campus/people/contract'
import { Alert, Button, Radio, Switch } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useUnsaved } from '../use-unsaved.ts'
import { AddNumber, AddPeople } from './add-entry.tsx'
import { DeptsPicker } from './depts-picker.tsx'
import { EntryList } from './entry-list.tsx'
import { PhonePreview } from './phone-preview.tsx'
import { useBookDraft } from './use-book.ts'
import type { DraftEntry } from './use-book.ts'

const way_names: Readonly<Record<(typeof mobile_ways)[number], string>> = { none: '不显示', mask: '部分号码', full: '完整号码' }
const readers = { '1': ['可查看的教职工', 'staff', '全部教职工'], '2': ['可查看的家长', 'student', '全部家长'], '3': ['可查看的教职工', 'staff', '全部教职工和家长'] } as const

/** One book: who reads it and what, the chosen lines in order, and the phone of a reader beside it. */
export function BookEditor({ book, entries, shown, onDirty }: { book: Book; entries: readonly BookEntry[]; shown: readonly ShownGroup[]; onDirty: (dirty: boolean) => void }): ReactNode {
  const draft = useBookDraft(book, entries)
  const { dirty } = draft
  const [is_typing, setTyping] = useState(false)
  const is_unsaved = dirty || is_typing
  useUnsaved(() => is_unsaved)
  useEffect(() => {
    onDirty(is_unsaved)
    return () => onDirty(false)
  }, [is_unsaved, onDirty])
  const { settings } = draft
  const [label, tree, everybody] = readers[book.type]
  const is_numbers = book.type === '3'
  const add = (more: readonly DraftEntry[]) => draft.setEntries([...draft.entries, ...more].slice(0, most_entries))
  return (
    <div className="book-editor">
      <div className="book-main">
        <div className="book-settings">
          <label><Switch checked={settings.is_open} onChange={is_open => draft.set({ is_open })} /> {settings.is_open ? '已开放' : '未开放'}</label>
          {!is_numbers && <span>手机号 <Radio.Group size="small" optionType="button" value={settings.show_mobile} options={mobile_ways.map(value => ({ value, label: way_names[value] }))} onChange={event => draft.set({ show_mobile: mobile_ways.find(way => way === event.target.value) ?? 'mask' })} /></span>}
          {!is_numbers && <span className="book-readers">{label} <DeptsPicker id="book-readers" label={label} tree={tree} placeholder={everybody} value={settings.dept_ids} onChange={depts => draft.set({ dept_ids: depts.map(({ id }) => id) })} /></span>}
        </div>
        {draft.refused !== null && <Alert type="warning" showIcon title={draft.refused} />}
        {is_numbers ? <AddNumber add={add} onTyping={setTyping} /> : <AddPeople chosen={draft.entries} add={add} />}
        <EntryList entries={draft.entries} empty={is_numbers ? '还没有电话，在上方填写名称和电话后添加' : '还没有内容，先在上方添加部门或人员'} onChange={draft.setEntries} />
        <div className="book-save">
          <Button type="primary" disabled={!dirty} loading={draft.busy} onClick={() => void draft.save()}>保存</Button>
          <Button disabled={!dirty || draft.busy} onClick={draft.reset}>放弃修改</Button>
          <span className="book-hint">拖动或用箭头调整顺序；“不显示”的部门和人员不会出现在通讯录中。</span>
        </div>
      </div>
      <PhonePreview book={book} shown={shown} dirty={dirty} />
    </div>
  )
}
