import { ImportWizard, useImportDoor } from '@campus/jobs/web'
import { Can, usePage } from '@kit/web'
import { PictureOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import type { PhotoKind } from './photo-kind.ts'
import { staffWord } from '../staff/words.ts'

const Dialog = lazy(() => import('./photo-dialog.tsx').then(part => ({ default: part.PhotoDialog })))

/** Who may bring in pictures. */
export const photo_needs = { student: 'people.student.import', teacher: 'people.staff.import' } as const

type Props = { kind: PhotoKind; onApplied: () => void }

/** 照片导入, for whoever may. */
export function PhotoImport({ kind, onApplied }: Props): ReactNode {
  const door = useImportDoor()
  return (
    <Can code={photo_needs[kind]}>
      <Button icon={<PictureOutlined aria-hidden />} onClick={() => door.open(`${kind}_photo`)}>照片导入</Button>
      <PhotoWizard kind={kind} onApplied={onApplied} />
    </Can>
  )
}

/** Pictures are brought in, then checked and written like any import. The batch stands in the address bar. */
export function PhotoWizard({ kind, onApplied }: Props): ReactNode {
  const { search, setSearch } = usePage()
  const door = useImportDoor()
  const template = `${kind}_photo`
  const title = `${kind === 'student' ? '学生' : staffWord()}照片导入`
  const is_open = door.template === template
  const has_batch = is_open && search.batch_no !== undefined
  return (
    <>
      <ImportWizard template={template} title={title} unit="张" open={has_batch} onClose={door.close} onApplied={onApplied} />
      <Suspense fallback={null}>{is_open && !has_batch && <Dialog kind={kind} title={title} onBatch={batch_no => setSearch({ ...search, batch_no })} onClose={door.close} />}</Suspense>
    </>
  )
}
