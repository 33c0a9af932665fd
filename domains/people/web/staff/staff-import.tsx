import { staffApi } from '@campus/people/contract'
import { ImportButton } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PhotoImport } from '../photo/photo-door.tsx'
import { staffWord } from './words.ts'

/** 导入 and 照片导入 of the staff, for whoever may; list and counts of the tree are read again afterwards. */
export function StaffImport(): ReactNode {
  const client = useQueryClient()
  const written = () => {
    for (const key of [staffApi.list.call, 'dept-tree', 'tree']) void client.invalidateQueries({ queryKey: [key] })
  }
  return (
    <>
      <ImportButton code="people.staff.import" template="teacher" title={`${staffWord()}信息导入`} label="导入" onApplied={written} />
      <PhotoImport kind="teacher" onApplied={written} />
    </>
  )
}
