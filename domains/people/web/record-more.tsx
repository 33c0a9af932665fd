import { useImportDoor } from '@campus/jobs/web'
import { useFocusReturn, useMay, usePage } from '@kit/web'
import { Button, Dropdown } from 'antd'
import type { MenuProps } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Lookup, lookup_code } from './password/password-doors.tsx'
import { photo_needs, PhotoWizard } from './photo/photo-door.tsx'

const SyncDrawer = lazy(() => import('./sync/sync-drawer.tsx').then(part => ({ default: part.SyncDrawer })))
const RosterPrint = lazy(() => import('./roster/roster-print.tsx').then(part => ({ default: part.RosterPrint })))
const GapsDrawer = lazy(() => import('./gaps/gaps-drawer.tsx').then(part => ({ default: part.GapsDrawer })))
const FieldDrawer = lazy(() => import('./field/field-drawer.tsx').then(part => ({ default: part.FieldDrawer })))

// A menu that was opened by key is walked by key.
const takes_focus = { autoFocus: true }
/** Codes rather than endpoints: the contracts are fetched with what they open. */
const items = [
  { key: 'roster', label: '打印花名册', need: 'people.student.view' },
  { key: 'gaps', label: '资料完整度', need: 'people.student.view' },
  { key: 'photo', label: '照片导入', need: photo_needs.student },
  { key: 'lookup', label: '初始密码查询', need: lookup_code },
  { key: 'sync', label: '名册同步', need: 'people.sync.run' },
  { key: 'fields', label: '字段设置', need: 'people.field.edit' },
] as const
type Opened = (typeof items)[number]['key'] | null

/** 更多 of the pupils' list: what is wanted a few times a year, so that the row of buttons fits. */
export function RecordMore({ nameOf, onApplied }: { nameOf: (dept_id: string) => string | undefined; onApplied: () => void }): ReactNode {
  const { dept_id, on } = usePage().search
  const [opened, open] = useState<Opened>(null)
  const more = useRef<HTMLButtonElement>(null)
  const photos = useImportDoor()
  const may = useMay()
  useFocusReturn(opened !== null && opened !== 'photo')
  const shown = items.filter(item => may(item.need))
  const lines = shown.map(({ key, label }) => (key === 'roster' && dept_id === undefined ? { key, label: `${label}（先选择年级或班级）`, disabled: true } : { key, label }))
  const act: MenuProps['onClick'] = ({ key, domEvent }) => {
    // The item is gone with its menu; the button is where the dialog gives the focus back. It must not take the Enter of the item for its own.
    domEvent.preventDefault()
    more.current?.focus()
    if (key === 'photo') photos.open('student_photo')
    else open(shown.find(item => item.key === key)?.key ?? null)
  }
  return (
    <>
      {shown.length > 0 && <Dropdown menu={{ items: lines, onClick: act }} trigger={['click']} placement="bottomRight" {...takes_focus}><Button ref={more}>更多</Button></Dropdown>}
      {may(photo_needs.student) && <PhotoWizard kind="student" onApplied={onApplied} />}
      <Suspense>
        {opened === 'roster' && dept_id !== undefined && <RosterPrint dept_id={dept_id} dept_name={nameOf(dept_id) ?? '所选部门'} on={on} onClose={() => open(null)} />}
        {opened === 'gaps' && <GapsDrawer dept_id={dept_id} dept_name={dept_id === undefined ? '全校' : (nameOf(dept_id) ?? '所选部门')} onClose={() => open(null)} />}
        {opened === 'lookup' && <Lookup kind="student" onClose={() => open(null)} />}
        {opened === 'sync' && <SyncDrawer onClose={() => open(null)} />}
        {opened === 'fields' && <FieldDrawer facet="student" onClose={() => open(null)} />}
      </Suspense>
    </>
  )
}
