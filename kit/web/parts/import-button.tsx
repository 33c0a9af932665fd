import type { ReactNode } from 'react'
import { kitPorts } from '../ports.ts'
import type { ImportEntryProps } from '../ports.ts'
import { Can } from '../session/permission.tsx'
import type { Marker } from '../session/permission.tsx'

/** 导入 of one template for those who hold its permission, on screens whose domain may not know imports. */
export function ImportButton({ code, ...entry }: ImportEntryProps & { code: Marker }): ReactNode {
  const { ImportEntry } = kitPorts()
  return <Can code={code}><ImportEntry {...entry} /></Can>
}
