import { DeleteOutlined, StarFilled, StarOutlined } from '@ant-design/icons'
import { Button, Dropdown } from 'antd'
// By its own path: the index brings every kind of field along.
import Input from 'antd/es/input/Input'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { PageSearch } from '../page/page-context.ts'
import { most_saved, withDefault, withoutSaved, withSaved } from './saved-filters.ts'
import type { ResourceList } from './use-resource-list.ts'
import { useSavedFilters } from './use-saved-filters.ts'

/** 常用筛选: the person's own filters of this list by name; one of them may be the default. */
export function SavedFilterMenu<Row, Name extends string>({ of, names }: { of: ResourceList<Row, Name>; names: readonly string[] }): ReactNode {
  const [saved, save] = useSavedFilters(of)
  const [open, setOpen] = useState(false)
  const now: PageSearch = Object.fromEntries(Object.entries(of.values).filter(([name]) => names.includes(name)))
  // The tab that holds the list comes along, so that the filter can be opened from anywhere.
  const where = Object.fromEntries(Object.entries(of.values).filter(([name]) => name === 'tab'))
  const apply = (values: PageSearch) => {
    of.filterBy({ ...Object.fromEntries(names.map(name => [name, undefined])), ...values })
    setOpen(false)
  }
  const content = (
    <div className="kit-saved">
      {saved.length === 0 && <p className="kit-saved-none">还没有常用筛选。设置条件并查询后，可在此保存</p>}
      <ul>
        {saved.map(({ name, values, is_default }) => (
          <li key={name}>
            <button type="button" className="kit-saved-name" onClick={() => apply(values)}>{name}</button>
            <Button type="text" size="small" icon={is_default ? <StarFilled aria-hidden /> : <StarOutlined aria-hidden />} aria-pressed={is_default} aria-label={`${is_default ? '取消默认' : '设为默认'}：${name}`} title={is_default ? '打开本页时自动使用，点击取消' : '设为打开本页时的默认筛选'} onClick={() => save(withDefault(saved, name))} />
            <Button type="text" size="small" danger icon={<DeleteOutlined aria-hidden />} aria-label={`删除：${name}`} onClick={() => save(withoutSaved(saved, name))} />
          </li>
        ))}
      </ul>
      <SaveForm able={Object.keys(now).length > 0} full={saved.length >= most_saved} onSave={name => save(withSaved(saved, name, { ...where, ...now }))} />
    </div>
  )
  return (
    <Dropdown trigger={['click']} placement="bottomRight" open={open} onOpenChange={setOpen} popupRender={() => content} destroyOnHidden>
      <Button type="text" icon={<StarOutlined aria-hidden />} aria-label={saved.length > 0 ? `常用筛选（${saved.length}）` : '常用筛选'} title="常用筛选" aria-haspopup="dialog" aria-expanded={open} />
    </Dropdown>
  )
}

function SaveForm({ able, full, onSave }: { able: boolean; full: boolean; onSave: (name: string) => void }): ReactNode {
  const [name, setName] = useState('')
  if (!able) return <p className="kit-saved-none">当前没有筛选条件</p>
  if (full) return <p className="kit-saved-none">{`最多保存${most_saved}个，请先删除不用的`}</p>
  const keep = () => {
    if (name.trim() === '') return
    onSave(name.trim())
    setName('')
  }
  return (
    <div className="kit-saved-new">
      <Input size="small" maxLength={20} placeholder="把当前条件保存为" aria-label="常用筛选的名称" value={name} onChange={({ target }) => setName(target.value)} onPressEnter={event => {
        event.preventDefault()
        keep()
      }} />
      <Button size="small" disabled={name.trim() === ''} onClick={keep}>保存</Button>
    </div>
  )
}
