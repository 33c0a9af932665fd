import { useRecentPaths } from '@campus/school/web'
import { AppModal } from '@kit/web'
import { useRouter } from '@tanstack/react-router'
import { Button, Input } from 'antd'
import { useMemo, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useSession } from '../session/session.ts'
import { openSubApp } from '../sub-app/open-sub-app.ts'
import { localGroups, pageEntries } from './entry.ts'
import type { Entry, EntryGroup } from './entry.ts'
import type { OwnDialog } from './own-dialogs.ts'
import { EntryList, optionId } from './entry-list.tsx'
import { useSavedFilters } from './saved-filters.ts'
import { settingEntries } from './settings.ts'
import { useObjects } from './use-objects.ts'
import type { ObjectSearch } from './use-objects.ts'

const list_id = 'palette-list'
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

type Props = { onClose: () => void; onDialog: (dialog: OwnDialog) => void }

/** 快速查找: pages, settings, people, classes, places and devices under one field; arrows choose, Enter opens, Esc closes. */
export function Palette({ onClose, onDialog }: Props): ReactNode {
  const { history } = useRouter()
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const text = typed.trim()
  const objects = useObjects(text)
  const groups = useGroups(text, objects.groups)
  const entries = groups.flatMap(group => group.entries)
  const at = Math.min(chosen, entries.length - 1)
  const open = ({ target }: Entry) => {
    onClose()
    if ('dialog' in target) onDialog(target.dialog)
    else if ('sub_app' in target) void openSubApp(target.sub_app)
    else history.push(target.address)
  }
  const press = (event: KeyboardEvent) => {
    // While Chinese is being typed the keys belong to the input method.
    if (event.nativeEvent.isComposing) return
    const step = steps[event.key]
    const entry = entries[at]
    if (event.key === 'Enter' && !event.ctrlKey && entry) open(entry)
    if (step === undefined || entries.length === 0) return
    event.preventDefault()
    setChosen(Math.abs(step) === 1 ? (at + step + entries.length) % entries.length : Math.max(0, Math.min(at + step, entries.length - 1)))
  }
  return (
    <AppModal open title="快速查找" width={640} footer={null} onCancel={onClose}>
      <Input
        role="combobox" aria-label="查找页面、设置、人员、班级、场所或设备" aria-expanded aria-controls={list_id} aria-autocomplete="list"
        aria-activedescendant={entries[at] && optionId(entries[at])} placeholder={objects.allowed ? '页面、设置、姓名、班级、场所或设备，可用拼音首字母' : '页面或设置，可用拼音首字母'}
        allowClear maxLength={50} value={typed} onKeyDown={press}
        onChange={event => {
          setTyped(event.target.value)
          setChosen(0)
        }}
      />
      <div className="palette-body">
        <EntryList id={list_id} groups={groups} chosen={entries[at]} onChoose={entry => setChosen(entries.indexOf(entry))} onOpen={open} />
        <State text={text} found={entries.length} objects={objects} />
      </div>
      <p className="palette-keys" aria-hidden><kbd>↑</kbd><kbd>↓</kbd> 选择 <kbd>Enter</kbd> 打开 <kbd>Esc</kbd> 关闭</p>
    </AppModal>
  )
}

function useGroups(text: string, objects: readonly EntryGroup[]) {
  const session = useSession()
  const recent = useRecentPaths()
  const pages = useMemo(() => pageEntries(session.menu), [session.menu])
  const settings = useMemo(() => settingEntries(pages, session), [pages, session])
  const filters = useSavedFilters(pages)
  const local = useMemo(() => localGroups(pages, settings, recent, text, filters), [pages, settings, recent, text, filters])
  return [...local, ...objects]
}

/** Says what is still coming, what failed and what can be looked for; what was typed stays. */
function State({ text, found, objects }: { text: string; found: number; objects: ObjectSearch }): ReactNode {
  if (objects.failure !== undefined) {
    return (
      <p className="palette-state" role="alert">
        {`查找失败：${objects.failure}`}
        <Button size="small" onClick={objects.again}>重试</Button>
      </p>
    )
  }
  return <p className="palette-state" role="status">{stateText(text, found, objects)}</p>
}

function stateText(text: string, found: number, { allowed, short, searching, slow }: ObjectSearch): string {
  if (slow) return '查找较慢，仍在继续…'
  if (searching) return '正在查找…'
  if (text === '') return ''
  if (short) return `再输入一个字，${found === 0 ? '即可' : '可同时'}查找人员、班级、场所和设备`
  if (found > 0) return ''
  return `没有找到“${text}”，可查找${allowed ? '页面和设置的名称，人员的姓名或编号，班级、场所和设备的名称' : '页面、设置的名称'}，或它们的拼音首字母`
}
