import { useImportDoor } from '@campus/jobs/web'
import { useFocusReturn, useMay, usePage } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { Lookup, lookup_code } from './password/password-doors.tsx'
import { photo_needs, PhotoWizard } from './photo/photo-door.tsx'

const SyncDrawer = lazy(() => import('./sync/sync-drawer.tsx').then(part => ({ default: part.SyncDrawer })))
const RosterPrint = lazy(() => import('./roster/roster-print.tsx').then(part => ({ default: part.RosterPrint })))
const GapsDrawer = lazy(() => import('./gaps/gaps-drawer.tsx').then(part => ({ default: part.GapsDrawer })))
const FieldDrawer = lazy(() => import('./field/field-drawer.tsx').then(part => ({ default: part.FieldDrawer })))

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

/** What of the pupils' list is wanted a few times a year: buttons below its 更多. */
export function RecordMore({ nameOf, onApplied }: { nameOf: (dept_id: string) => string | undefined; onApplied: () => void }): ReactNode {
  const { dept_id, on } = usePage().search
  const [opened, open] = useState<Opened>(null)
  const photos = useImportDoor()
  const may = useMay()
  useFocusReturn(opened !== null && opened !== 'photo')
  const act = (key: (typeof items)[number]['key']) => (key === 'photo' ? photos.open('student_photo') : open(key))
  const isOff = (key: string) => key === 'roster' && dept_id === undefined
  return (
    <>
      {items.filter(item => may(item.need)).map(({ key, label }) => (
        <Button key={key} disabled={isOff(key)} onClick={() => act(key)}>{isOff(key) ? `${label}（先选择年级或班级）` : label}</Button>
      ))}
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
